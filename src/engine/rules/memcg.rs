//! Charging a memory cgroup for socket pages, through the CPU's stock.

use crate::engine::ledger::{Context, Ledger};
use crate::engine::memcg::{MemcgId, Stock};
use crate::engine::profile::MemcgFailure;
use crate::engine::reason::{Cmp, Rule, Term, Verdict};
use crate::engine::sock::SockId;
use crate::engine::units::Pages;

/// What a charge did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charge {
    /// The socket has no memory cgroup.
    NoGroup,
    /// Within the limit, or forced by a context that may not fail.
    Charged,
    /// Over the limit; nothing was charged.
    Failed,
    /// Over the limit, charged all the same, reported as failed (5.10).
    FailedButForced,
}

/// Charges `pages` for a socket.
//= mm/memcontrol.c mem_cgroup_charge_skmem @ 5.10 6.1 6.12 7.3
//# Softirq charges cannot fail from 6.1 on: they go over the limit. Before, and in a system call, a charge over
//# memory.max fails; 5.10 charges it nevertheless and reports the failure.
pub fn mem_cgroup_charge_skmem(l: &mut Ledger, id: SockId, pages: Pages) -> Charge {
    let Some(group) = l.sk(id).memcg else {
        return Charge::NoGroup;
    };
    l.counts.memcg_charges += 1;
    if try_charge(l, group, pages) {
        account(l, group, pages);
        return Charge::Charged;
    }
    if l.ctx == Context::Softirq && l.machine().profile().memcg.softirq_forces {
        force(l, group, pages);
        l.decided(Rule::MemCgroupChargeSkmem, Verdict::Forced);
        return Charge::Charged;
    }
    if l.machine().profile().memcg_failure == MemcgFailure::AlreadyForced {
        force(l, group, pages);
        return Charge::FailedButForced;
    }
    l.decided(Rule::MemCgroupChargeSkmem, Verdict::Refused);
    Charge::Failed
}

/// Charges `pages` without asking the limit (no-fail).
pub fn charge_no_fail(l: &mut Ledger, id: SockId, pages: Pages) {
    if let Some(group) = l.sk(id).memcg {
        l.counts.memcg_charges += 1;
        if try_charge(l, group, pages) {
            account(l, group, pages);
        } else {
            force(l, group, pages);
        }
    }
}

/// Gives `pages` back.
//= mm/memcontrol.c mem_cgroup_uncharge_skmem @ 5.10 6.1 6.12 7.3
//# The pages go to the CPU's stock; a stock above its batch is returned to the counter whole.
pub fn mem_cgroup_uncharge_skmem(l: &mut Ledger, id: SockId, pages: Pages) {
    if let Some(group) = l.sk(id).memcg {
        l.counts.memcg_uncharges += 1;
        account(l, group, -pages);
        refill_stock(l, group, pages);
    }
}

fn account(l: &mut Ledger, group: MemcgId, pages: Pages) {
    let rule = if pages > Pages::ZERO { Rule::MemCgroupChargeSkmem } else { Rule::MemCgroupUnchargeSkmem };
    l.add_memcg_sock(rule, group, pages);
    let batch = l.machine().profile().memcg.report_batch;
    let g = &mut l.m.memcgs[group.0 as usize];
    match batch {
        None => g.reported = g.sock,
        Some(batch) => {
            g.report_pending += pages;
            if g.report_pending.0.abs() > batch {
                g.reported += g.report_pending;
                g.report_pending = Pages::ZERO;
            }
        }
    }
}

fn force(l: &mut Ledger, group: MemcgId, pages: Pages) {
    l.m.memcgs[group.0 as usize].usage += pages;
    l.counts.counter_ops += 1;
    account(l, group, pages);
}

/// Takes `pages` from the stock, or charges the counter with a batch and puts the rest in stock.
//= mm/memcontrol.c try_charge @ 5.10 6.1 6.12 7.3
//# A stock that holds enough pays. Otherwise the counter is asked for a whole batch, and if that does not fit for
//# the exact number.
fn try_charge(l: &mut Ledger, group: MemcgId, pages: Pages) -> bool {
    if let Some(stock) = l.m.stocks.iter_mut().find(|s| s.memcg == group)
        && stock.pages >= pages
    {
        stock.pages -= pages;
        l.counts.stock_hits += 1;
        return true;
    }
    let batch = Pages(l.machine().profile().memcg.batch).max(pages);
    if counter_fits(l, group, batch) {
        l.m.memcgs[group.0 as usize].usage += batch;
        refill_stock(l, group, batch - pages);
        return true;
    }
    if batch > pages && counter_fits(l, group, pages) {
        l.m.memcgs[group.0 as usize].usage += pages;
        return true;
    }
    // Other CPUs' and groups' stocks are drained before giving up; the own stock counts towards the limit.
    drain_all(l);
    if counter_fits(l, group, pages) {
        l.m.memcgs[group.0 as usize].usage += pages;
        return true;
    }
    false
}

fn counter_fits(l: &mut Ledger, group: MemcgId, pages: Pages) -> bool {
    l.counts.counter_ops += 1;
    let g = &l.machine().memcgs[group.0 as usize];
    let Some(max) = g.max else {
        return true;
    };
    let wanted = g.usage() + pages;
    l.check(Rule::MemCgroupChargeSkmem, Term::Pages.of(wanted.0), Cmp::Le, Term::MemcgMax.of(max.0))
}

fn refill_stock(l: &mut Ledger, group: MemcgId, pages: Pages) {
    let (batch, slots) = {
        let rule = &l.machine().profile().memcg;
        (Pages(rule.batch), rule.stock_slots as usize)
    };
    if slots > 1 && pages > batch {
        l.m.memcgs[group.0 as usize].usage -= pages;
        l.counts.counter_ops += 1;
        return;
    }
    if !l.m.stocks.iter().any(|s| s.memcg == group) {
        if l.m.stocks.len() >= slots {
            drain(l, 0);
        }
        l.m.stocks.push(Stock { memcg: group, pages: Pages::ZERO });
    }
    let at = l.m.stocks.iter().position(|s| s.memcg == group).unwrap_or_default();
    l.m.stocks[at].pages += pages;
    if l.m.stocks[at].pages > batch {
        drain(l, at);
    }
}

/// Returns one stock to its counter and forgets it.
fn drain(l: &mut Ledger, at: usize) {
    let stock = l.m.stocks.remove(at);
    if stock.pages > Pages::ZERO {
        l.m.memcgs[stock.memcg.0 as usize].usage -= stock.pages;
        l.counts.counter_ops += 1;
    }
}

fn drain_all(l: &mut Ledger) {
    while !l.m.stocks.is_empty() {
        drain(l, 0);
    }
}
