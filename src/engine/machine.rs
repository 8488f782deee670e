//! The whole kernel-side state, and `apply`, the one way to change it.

use super::ledger::{self, Ledger, Observer};
use super::memcg::{Memcg, MemcgId, Stock};
use super::op::{Op, Protocol, SockName, Timing};
use super::page_frag::PageFrag;
use super::profile::Profile;
use super::profiles::{self, UnknownProfile};
use super::proto::Proto;
use super::reason::{Beat, BeatKind};
use super::rules;
use super::setup::Setup;
use super::snmp::Snmp;
use super::sock::{Sock, SockId};
use super::step::{Imbalance, Refused, Step};
use super::sysctl::{self, Sysctls};
use super::timers::TimerQueue;
use super::units::{Bytes, Micros, Pages};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Most sockets one machine holds, orphans included.
pub const SOCKS_MAX: u32 = 16_384;

/// A machine. Plain data: clone it, compare it, serialize it. Sockets are shared between clones until one changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    pub(super) profile: Rc<Profile>,
    pub(super) setup: Rc<Setup>,
    pub(super) now: Micros,
    pub(super) sysctls: Sysctls,
    pub(super) socks: BTreeMap<SockId, Rc<Sock>>,
    pub(super) names: BTreeMap<SockName, SockId>,
    pub(super) next_id: u32,
    pub(super) tcp: Proto,
    pub(super) udp: Proto,
    pub(super) memcgs: Vec<Memcg>,
    pub(super) memcg_held: Vec<Bytes>,
    pub(super) stocks: Vec<Stock>,
    /// The memory cgroup the task is in; `None`: the root.
    pub(super) task_memcg: Option<MemcgId>,
    /// The task's own memory cgroup, if the set-up gave it one.
    pub(super) own_memcg: Option<MemcgId>,
    /// What the attached BPF program sets, if one is attached.
    pub(super) bpf_bypass: Option<bool>,
    pub(super) snmp: Snmp,
    pub(super) timers: TimerQueue,
    /// Where the task's writers copy payload.
    pub(super) task_frag: PageFrag,
    /// Whether steps record reasons. The balance is checked either way.
    pub(super) reasons: bool,
}

/// A machine cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// The profile does not exist.
    #[error(transparent)]
    Profile(#[from] UnknownProfile),
    /// A sysctl's value cannot be read.
    #[error(transparent)]
    Sysctl(#[from] Refused),
    /// The kernel refuses a sysctl's value.
    #[error("{}: the kernel refuses {value:?} ({})", key.name(), errno.name())]
    SysctlRefused {
        /// The sysctl.
        key: super::op::SysctlKey,
        /// The text.
        value: String,
        /// The answer.
        errno: super::step::Errno,
    },
}

impl Machine {
    /// A machine before its first operation.
    ///
    /// # Errors
    /// The profile is unknown, or a sysctl of the set-up cannot be read or is refused by that kernel. Sysctls that
    /// the kernel does not have are passed over, so that one set-up serves several kernels.
    pub fn new(profile_id: &str, setup: &Setup) -> Result<Self, SetupError> {
        Self::with_profile(profiles::by_id(profile_id)?, setup)
    }

    /// A machine with a profile already looked up.
    ///
    /// # Errors
    /// As [`Machine::new`].
    pub fn with_profile(profile: Profile, setup: &Setup) -> Result<Self, SetupError> {
        let mut sysctls = Sysctls::defaults(&profile);
        for (key, value) in &setup.sysctls {
            match sysctl::write(&mut sysctls, &profile, *key, value)? {
                None | Some(super::step::Errno::ENOENT) => {}
                Some(errno) => {
                    return Err(SetupError::SysctlRefused { key: *key, value: value.clone(), errno });
                }
            }
        }
        let memcgs =
            if setup.memcg { vec![Memcg::new("task", Pages(i64::from(setup.memcg_other)))] } else { Vec::new() };
        let own = setup.memcg.then_some(MemcgId(0));
        Ok(Self {
            memcg_held: memcgs.iter().map(|_| Bytes::ZERO).collect(),
            tcp: Proto::new(setup.cpus),
            udp: Proto::new(setup.cpus),
            profile: Rc::new(profile),
            setup: Rc::new(setup.clone()),
            now: Micros::ZERO,
            sysctls,
            socks: BTreeMap::new(),
            names: BTreeMap::new(),
            next_id: 0,
            memcgs,
            stocks: Vec::new(),
            task_memcg: own,
            own_memcg: own,
            bpf_bypass: None,
            snmp: Snmp::new(),
            timers: TimerQueue::default(),
            task_frag: PageFrag::default(),
            reasons: true,
        })
    }

    /// Executes one operation: first lets `timing.after` pass, then runs it over `timing.took`.
    ///
    /// # Errors
    /// The operation makes no sense here (an unknown socket, say). Nothing was changed. What the kernel refuses is a
    /// [`Step`] with an errno.
    pub fn apply(&mut self, op: &Op, timing: Timing) -> Result<Step, Refused> {
        self.apply_observed(op, timing, None)
    }

    /// As [`Machine::apply`], showing every beat's state to `observer`.
    ///
    /// # Errors
    /// As [`Machine::apply`].
    pub fn apply_observed(
        &mut self,
        op: &Op,
        timing: Timing,
        observer: Option<Observer<'_>>,
    ) -> Result<Step, Refused> {
        rules::check_op(self, op)?;
        let mut l = Ledger::new(self, observer);
        rules::timer::pass_time(&mut l, timing.after);
        l.beat(BeatKind::Call, None);
        let mut step = rules::run_op(&mut l, op, timing.took);
        l.finish(&mut step);
        debug_assert!(step.imbalances.is_empty(), "{:?} after {op:?}", step.imbalances);
        debug_assert!(self.audit().is_empty(), "{:?} after {op:?}", self.audit());
        Ok(step)
    }

    /// Records reasons or not. The balance is checked either way.
    pub const fn set_reasons(&mut self, on: bool) {
        self.reasons = on;
    }

    /// Recounts every balance from the sockets. Empty unless the model is wrong.
    pub fn audit(&self) -> Vec<Imbalance> {
        ledger::full_recount(self)
    }

    /// Test fault: loses `bytes` of one socket's forward allocation, as a skipped uncharge would.
    #[doc(hidden)]
    pub fn lose_forward_alloc(&mut self, id: SockId, bytes: i64) {
        if let Some(sock) = self.socks.get_mut(&id) {
            let sock = Rc::make_mut(sock);
            let now = sock.get(super::reason::Field::FwdAlloc);
            sock.tracked.put(super::reason::Field::FwdAlloc, now - bytes);
        }
    }

    // ---- reading ----

    /// The kernel.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// The environment.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Simulated time since the machine started.
    pub const fn now(&self) -> Micros {
        self.now
    }

    /// Sysctls in force.
    pub const fn sysctls(&self) -> &Sysctls {
        &self.sysctls
    }

    /// Every socket that exists, orphans and not-yet-accepted children included, oldest first.
    pub fn socks(&self) -> impl Iterator<Item = (SockId, &Sock)> {
        self.socks.iter().map(|(id, sock)| (*id, &**sock))
    }

    /// A socket by the name it answers to.
    pub fn find(&self, name: SockName) -> Option<(SockId, &Sock)> {
        let id = *self.names.get(&name)?;
        Some((id, self.socks.get(&id)?))
    }

    /// A protocol's memory.
    pub const fn proto(&self, kind: Protocol) -> &Proto {
        match kind {
            Protocol::Tcp => &self.tcp,
            Protocol::Udp => &self.udp,
        }
    }

    pub(super) const fn proto_mut(&mut self, kind: Protocol) -> &mut Proto {
        match kind {
            Protocol::Tcp => &mut self.tcp,
            Protocol::Udp => &mut self.udp,
        }
    }

    /// The memory cgroups.
    pub fn memcgs(&self) -> &[Memcg] {
        &self.memcgs
    }

    /// The memory cgroup the task was given, whether or not it is in it now.
    pub fn own_memcg(&self) -> Option<&Memcg> {
        self.own_memcg.map(|MemcgId(n)| &self.memcgs[n as usize])
    }

    /// Pages of stock this CPU holds for a group.
    pub fn stock(&self, memcg: MemcgId) -> Pages {
        self.stocks.iter().find(|s| s.memcg == memcg).map_or(Pages::ZERO, |s| s.pages)
    }

    /// Counters.
    pub const fn snmp(&self) -> &Snmp {
        &self.snmp
    }

    /// The limits of a protocol, pages: min, pressure, max.
    pub const fn mem_limits(&self, kind: Protocol) -> [i64; 3] {
        match kind {
            Protocol::Tcp => self.sysctls.tcp_mem,
            Protocol::Udp => self.sysctls.udp_mem,
        }
    }
}

/// A beat and the state right after it.
#[derive(Clone, Debug)]
pub struct BeatState {
    /// The beat.
    pub beat: Beat,
    /// The state.
    pub machine: Machine,
}
