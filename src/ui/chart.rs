//! The lines of the chart on a canvas whose every pixel is ours.

use crate::view_model::chart::{Line, Plot, Series};
use plotters::backend::DrawingBackend;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use plotters::element::PathElement;
use plotters::style::{Color, RGBColor, ShapeStyle};
use plotters_canvas::CanvasBackend;
use web_sys::HtmlCanvasElement;

/// The lines' class names, which carry their colours.
pub const fn class(line: Line) -> &'static str {
    match line {
        Line::FwdAlloc => "s-fwd_alloc",
        Line::WmemQueued => "s-wmem_queued",
        Line::RmemAlloc => "s-rmem_alloc",
        Line::Window => "s-window",
        Line::Pages => "s-pages",
    }
}

/// Sizes the canvas in device pixels and draws every line. `color` gives a line's colour in the theme in force.
pub fn paint(canvas: &HtmlCanvasElement, plot: &Plot, series: &[Series], color: impl Fn(Line) -> RGBColor) {
    let dpr = web_sys::window().map_or(1.0, |w| w.device_pixel_ratio());
    let device = |px: i64| u32::try_from((px * percent(dpr)) / 100).unwrap_or(1).max(1);
    canvas.set_width(device(plot.width));
    canvas.set_height(device(plot.height));
    let Some(backend) = CanvasBackend::with_canvas_object(canvas.clone()) else { return };
    // A browser without a 2d canvas shows the table twin; there is nothing else to do.
    let _ = draw(&backend.into_drawing_area(), plot, series, percent(dpr), color);
}

/// The device pixel ratio in hundredths.
#[allow(clippy::cast_possible_truncation)] // a ratio is a small number
fn percent(dpr: f64) -> i64 {
    (dpr * 100.0).round() as i64
}

/// Draws the lines on any backend; `percent` is the device pixel ratio in hundredths.
///
/// # Errors
/// The backend's.
pub fn draw<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    plot: &Plot,
    series: &[Series],
    percent: i64,
    color: impl Fn(Line) -> RGBColor,
) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
    // Half a pixel off the grid would blur a level line, so corners are whole device pixels.
    let device = |hundredths: i64| i32::try_from((hundredths * percent + 5_000) / 10_000).unwrap_or(i32::MAX);
    let width = u32::try_from((2 * percent + 50) / 100).unwrap_or(2).max(1);
    for one in series.iter().rev() {
        let style = ShapeStyle { color: color(one.line).to_rgba(), filled: false, stroke_width: width };
        let corners: Vec<(i32, i32)> =
            plot.corners(one).into_iter().map(|(x, y)| (device(x.0), device(y.0))).collect();
        let (dash, gap) = one.line.dash();
        if gap == 0 {
            area.draw(&PathElement::new(corners, style))?;
        } else {
            let scaled = |n: u32| i32::try_from(i64::from(n) * percent / 100).unwrap_or(1).max(1);
            for piece in dashes(&corners, scaled(dash), scaled(gap)) {
                area.draw(&PathElement::new(piece, style))?;
            }
        }
    }
    area.present()
}

/// Cuts a line of level and upright stretches into dashes.
fn dashes(corners: &[(i32, i32)], dash: i32, gap: i32) -> Vec<Vec<(i32, i32)>> {
    let mut out = Vec::new();
    let mut phase = 0;
    for pair in corners.windows(2) {
        let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
        let length = (x1 - x0).abs() + (y1 - y0).abs();
        let (dx, dy) = ((x1 - x0).signum(), (y1 - y0).signum());
        let mut at = 0;
        while at < length {
            let drawing = phase < dash;
            let run = (if drawing { dash - phase } else { dash + gap - phase }).min(length - at);
            if drawing {
                out.push(vec![(x0 + dx * at, y0 + dy * at), (x0 + dx * (at + run), y0 + dy * (at + run))]);
            }
            at += run;
            phase = (phase + run) % (dash + gap);
        }
    }
    out
}
