//! The picture is to scale: widths are truesizes, the floor is the unused reserve, marks stand where they say.
#![cfg(not(target_arch = "wasm32"))]

use skmem_lab::engine::Machine;
use skmem_lab::engine::op::{Protocol, SockName, Timing};
use skmem_lab::engine::setup::Setup;
use skmem_lab::engine::sock::Sock;
use skmem_lab::engine::units::PageSize;
use skmem_lab::scenario::text::parse_op;
use skmem_lab::view_model::blocks::{Block, NARROW, Part, Piece, lay_out};
use skmem_lab::view_model::chart::{Line, Plot, Series, shown_markers};
use skmem_lab::view_model::figure::{group, signed};
use skmem_lab::view_model::scale::{Px, Scale, roomy};
use skmem_lab::view_model::{gauge, queues, tank};

const WIDTH: i64 = 744;

fn machine(lines: &str) -> Machine {
    let mut machine = Machine::new("6.12", &Setup::default()).expect("6.12 exists");
    for line in lines.lines().map(str::trim).filter(|l| !l.is_empty()) {
        let op = parse_op(line).unwrap_or_else(|e| panic!("{line}: {e}"));
        machine.apply(&op.op, Timing::USUAL).unwrap_or_else(|e| panic!("{line}: {e}"));
    }
    machine
}

fn sock(machine: &Machine) -> &Sock {
    machine.find(SockName::new("s").expect("a name")).expect("socket s exists").1
}

fn piece(id: i64, len: i64, truesize: i64) -> Piece {
    Piece { id, len, truesize, part: Part::InFlight }
}

/// Width ratio of two blocks within a pixel of the ratio of their truesizes.
fn assert_to_scale(blocks: &[Block], scale: Scale) {
    for block in blocks {
        let exact = i128::from(block.truesize) * i128::from(scale.length.0) / i128::from(scale.domain);
        let drawn = i128::from(block.width().0);
        assert!((drawn - exact).abs() <= 2, "{block:?}: drawn {drawn}, exact {exact} hundredths of a pixel");
        for other in blocks {
            let wanted = i128::from(block.truesize) * i128::from(other.width().0) / i128::from(other.truesize);
            assert!((drawn - wanted).abs() <= 100 + wanted / 100, "{block:?} against {other:?}");
        }
    }
}

#[test]
fn a_block_is_as_wide_as_its_truesize() {
    let scale = Scale::new(46_080, 680);
    let blocks = lay_out([piece(0, 1000, 1896), piece(1, 7300, 8196), piece(2, 16_860, 17_756)], scale);
    assert_eq!(blocks.len(), 3);
    assert_to_scale(&blocks, scale);
    assert!(blocks.windows(2).all(|w| w[1].x.0 == w[0].x.0 + w[0].width().0), "blocks touch");
}

#[test]
fn narrow_blocks_join_a_bundle_as_wide_as_their_sum() {
    let scale = Scale::new(4_194_304, WIDTH);
    let mut pieces: Vec<Piece> = (0..500).map(|i| piece(i, 1448, 2304)).collect();
    pieces.push(piece(500, 60_000, 131_072));
    let blocks = lay_out(pieces, scale);
    assert_eq!(blocks.len(), 2, "500 narrow ones are one bundle");
    assert_eq!((blocks[0].skbs, blocks[0].truesize, blocks[0].len), (500, 500 * 2304, 500 * 1448));
    assert_to_scale(&blocks, scale);
    assert!(blocks[1].width() >= NARROW);
}

#[test]
fn a_bundle_never_crosses_from_one_part_into_another() {
    let scale = Scale::new(4_194_304, WIDTH);
    let parts = [Part::InFlight, Part::InFlight, Part::Unsent, Part::Unsent];
    let pieces = parts.into_iter().zip(0..).map(|(part, id)| Piece { part, ..piece(id, 1448, 2304) });
    let skbs: Vec<i64> = lay_out(pieces, scale).iter().map(|b| b.skbs).collect();
    assert_eq!(skbs, [2, 2]);
}

#[test]
fn both_queues_are_drawn_to_the_last_byte() {
    let machine = machine("socket s\nconnect s\nsend s 10000\nsend s 20000\nrx s 1460 x5\nrx_at s +2920 1460");
    let s = sock(&machine);
    for row in [queues::send(s, WIDTH), queues::receive(s, WIDTH)] {
        assert!(!row.blocks.is_empty());
        assert_to_scale(&row.blocks, row.scale);
        let drawn: i64 = row.blocks.iter().map(|b| b.truesize).sum();
        assert_eq!(drawn, row.queued.value, "the blocks are all of {}", row.queued.field);
        assert!(row.ruler.x < row.scale.length, "the ruler is inside");
        let bar = i128::from(row.bar.width.0) * i128::from(row.scale.domain);
        let bytes = i128::from(row.bar.bytes) * i128::from(row.scale.length.0);
        assert!((bar - bytes).abs() <= i128::from(row.scale.domain), "the scale bar is to scale");
    }
}

#[test]
fn the_floor_is_the_reserve_that_no_skb_uses() {
    let steps =
        ["", "\nsend s 10000", "\nsend s 20000", "\nack s", "\nack_all s", "\nsend s 200000", "\nack_all s"];
    let mut lines = "socket s\nconnect s\nsetsockopt s SO_RESERVE_MEM 102400".to_owned();
    for step in steps {
        lines.push_str(step);
        let machine = machine(&lines);
        let s = sock(&machine);
        let tank = tank::tank(s, PageSize::K4, 0, 200);
        let unused = (102_400 - s.wmem_queued().get() - s.rmem_alloc().get()).max(0);
        assert_eq!(tank.unused.value, unused, "after {lines}");
        let per_byte = Scale::new(tank.capacity * 4096, 200);
        assert_eq!(tank.floor, per_byte.at(unused), "after {lines}");
        assert!(tank.floor <= tank.level, "nothing sinks below the floor");
    }
}

#[test]
fn the_tank_has_a_tick_a_page_up_to_64_and_then_a_tick_for_16() {
    let machine = machine("socket s\nconnect s\nsetsockopt s SO_RESERVE_MEM 102400");
    let small = tank::tank(sock(&machine), PageSize::K4, 0, 200);
    assert_eq!((small.tick_pages, small.ticks.len()), (1, usize::try_from(small.capacity - 1).unwrap()));
    let large = tank::tank(sock(&machine), PageSize::K4, 200 * 4096, 200);
    assert_eq!(large.tick_pages, 16);
    assert!(large.ticks.iter().all(|t| t.pages % 16 == 0));
}

#[test]
fn pages_held_is_what_the_parts_add_up_to() {
    let machine = machine("socket s\nconnect s\nsend s 10000\nrx s 1460 x3");
    let held = tank::held(sock(&machine), PageSize::K4);
    let sum: i64 = held.parts.iter().map(|p| p.value).sum();
    assert_eq!((held.off_by, held.pages.value * held.page.value), (0, sum));
}

#[test]
fn the_three_marks_stand_where_the_limits_are() {
    let mut setup = Setup::default();
    setup.sysctls.insert(skmem_lab::engine::op::SysctlKey::TcpMem, "1000 1500 2000".into());
    let machine = Machine::new("6.12", &setup).expect("6.12 exists");
    let g = gauge::proto(&machine, Protocol::Tcp, None, 318);
    let values: Vec<i64> = g.marks.iter().map(|m| m.figure.value).collect();
    assert_eq!(values, [1000, 1500, 2000]);
    // Linear: the distances are as the numbers.
    let [min, pressure, max] = [0, 1, 2].map(|i| g.marks[i].x.0);
    assert!((2 * (pressure - min) - min).abs() <= 3 && (2 * min - max).abs() <= 3);
    assert_eq!(g.state(), "no pressure");
}

#[test]
fn pressure_is_said_with_its_beginning_and_its_end() {
    let lines = "socket s\nconnect s\nsysctl net.ipv4.tcp_mem 2 4 10000\nrx s 1460 x40";
    let machine = machine(lines);
    let g = gauge::proto(&machine, Protocol::Tcp, Some(4), 318);
    let on = machine.proto(Protocol::Tcp).pressure_since().is_some();
    assert_eq!(g.pressed(), on, "the word agrees with the flag");
    if on {
        assert_eq!(g.state(), "pressure since step 4, ends at or below 2");
    }
}

#[test]
fn a_nearly_empty_gauge_has_a_close_up() {
    let machine = machine("socket s\nconnect s\nsend s 10000");
    let g = gauge::proto(&machine, Protocol::Tcp, None, 318);
    let strip = g.strip.expect("a few pages of many thousand are not to be seen");
    assert!(strip.bar >= Px::whole(40), "in the close-up they are");
    assert!(strip.domain >= g.total.value);
}

#[test]
fn a_step_lies_where_a_click_finds_it() {
    for end in [1, 11, 180, 1000, 2000] {
        let plot = Plot::new(&[], end, 1380, 100);
        // With more steps than pixels a click finds a neighbour.
        let near = end / 1356;
        for step in (0..=end).step_by(7) {
            let found = plot.step_at(plot.x(step).round());
            assert!(found.abs_diff(step) <= near, "{found} for {step} of {end}");
        }
        assert_eq!(plot.step_at(-50), 0);
        assert_eq!(plot.step_at(5000), end);
    }
}

#[test]
fn a_line_is_level_until_its_number_changes() {
    let series = Series { line: Line::FwdAlloc, values: vec![0, 0, 100, 100, 50] };
    let plot = Plot::new(std::slice::from_ref(&series), 4, 1024, 90);
    let corners = plot.corners(&series);
    assert!(corners.windows(2).all(|w| w[0].0 == w[1].0 || w[0].1 == w[1].1), "no slanted line: {corners:?}");
    assert_eq!(corners.first().map(|c| c.0), Some(plot.x(0)));
    assert_eq!(corners.last().map(|c| c.0), Some(plot.x(4)));
}

#[test]
fn markers_that_fall_together_are_counted() {
    use skmem_lab::timeline::{MarkKind, Marker};
    let plot = Plot::new(&[], 2000, 1000, 100);
    let ack = |at| Marker { at, kind: MarkKind::Ack, sock: None };
    let mut markers: Vec<Marker> = (0..20).map(ack).collect();
    markers.insert(3, Marker { at: 3, kind: MarkKind::Drop, sock: None });
    let shown = shown_markers(&markers, &plot);
    assert_eq!(shown.iter().map(|s| s.stands_for).sum::<i64>(), 21);
    assert_eq!(shown[0].marker.kind, MarkKind::Drop, "a drop is not hidden by an ACK");
}

#[test]
fn numbers_are_grouped_and_exact() {
    assert_eq!([group(0), group(999), group(1000), group(102_400)], ["0", "999", "1,000", "102,400"]);
    assert_eq!([group(-4096), signed(896)], ["\u{2212}4,096", "+896"]);
    assert_eq!(group(i64::MIN), "\u{2212}9,223,372,036,854,775,808");
    assert_eq!([1, 5, 7, 25, 100].map(roomy), [1, 6, 8, 32, 128]);
}

#[test]
fn a_place_prints_as_svg_takes_it() {
    assert_eq!(
        [Px(0), Px(1250), Px(1205), Px(-50), Px(700)].map(|p| p.to_string()),
        ["0", "12.5", "12.05", "-0.5", "7"]
    );
}
