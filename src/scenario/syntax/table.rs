//! The table itself.

use super::{Arg, Form, OpSyntax};
use crate::scenario::limits::{BYTES_MAX, COUNT_MAX, LEN_MAX, MANY_MAX, SLEEP_MS_MAX, WINDOW_MAX};

const fn word(field: &'static str, form: Form, what: &'static str) -> Arg {
    Arg { field, form, what, min: 0, max: 0 }
}
const fn number(field: &'static str, form: Form, what: &'static str, min: i64, max: i64) -> Arg {
    Arg { field, form, what, min, max }
}
const fn flag(field: &'static str) -> Arg {
    number(field, Form::Flag, "0 or 1", 0, 1)
}

const SOCK: Arg = word("sock", Form::Name, "a socket name");
const CHILD: Arg = word("child", Form::Name, "a name for the connection");
const BYTES: Arg = number("bytes", Form::Number, "a number of bytes", 1, BYTES_MAX);
const LEN: Arg = number("len", Form::Number, "a number of bytes", 1, LEN_MAX);
const COUNT: Arg = number("count", Form::Count, "a count", 1, COUNT_MAX);
const TRUESIZE: Arg = number("truesize", Form::Named, "a number of bytes", 1, BYTES_MAX);
const OPTION: Arg = word("name", Form::Option, "a socket option");
const MSS: Arg = number("mss", Form::Named, "a number of bytes", 48, 65_535);
const WSCALE: Arg = number("wscale", Form::Named, "a shift", 0, 14);
const PEER_WIN: Arg = number("win", Form::Named, "a number of bytes", 0, WINDOW_MAX);
const SACK: Arg = number("sack", Form::Named, "0 or 1", 0, 1);
const TS: Arg = number("ts", Form::Named, "0 or 1", 0, 1);

/// Every operation, in the order the console lists them.
pub const OPERATIONS: &[OpSyntax] = &[
    OpSyntax {
        name: "socket",
        usage: "socket NAME [udp]",
        help: "Creates a TCP socket, or a UDP one.",
        example: "socket u udp",
        args: &[SOCK, word("type", Form::Protocol, "tcp or udp")],
    },
    OpSyntax {
        name: "many",
        usage: "many PREFIX N",
        help: "Creates N TCP sockets named PREFIX0, PREFIX1 and so on.",
        example: "many m 70",
        args: &[
            word("prefix", Form::Name, "what the names start with"),
            number("n", Form::Number, "a number of sockets", 1, MANY_MAX),
        ],
    },
    OpSyntax {
        name: "connect",
        usage: "connect NAME [mss=BYTES] [wscale=SHIFT] [win=BYTES] [sack=0|1] [ts=0|1]",
        help: "Opens a connection; the peer answers at once with these options.",
        example: "connect s mss=8960 win=0 ts=1",
        args: &[SOCK, MSS, WSCALE, PEER_WIN, SACK, TS],
    },
    OpSyntax {
        name: "listen",
        usage: "listen NAME",
        help: "Lets the socket accept connections.",
        example: "listen l",
        args: &[SOCK],
    },
    OpSyntax {
        name: "peer_connect",
        usage: "peer_connect LISTENER CHILD [mss=BYTES] [wscale=SHIFT] [win=BYTES] [sack=0|1] [ts=0|1]",
        help: "The peer connects to a listener; CHILD names the connection that waits for accept.",
        example: "peer_connect l c ts=1",
        args: &[SOCK, CHILD, MSS, WSCALE, PEER_WIN, SACK, TS],
    },
    OpSyntax {
        name: "accept",
        usage: "accept LISTENER CHILD",
        help: "The application accepts the connection named CHILD.",
        example: "accept l c",
        args: &[SOCK, CHILD],
    },
    OpSyntax {
        name: "setsockopt",
        usage: "setsockopt NAME OPTION VALUE",
        help: "Sets a socket option to a number.",
        example: "setsockopt s SO_RESERVE_MEM 102400",
        args: &[SOCK, OPTION, number("value", Form::Number, "a number", i32::MIN as i64, i32::MAX as i64)],
    },
    OpSyntax {
        name: "getsockopt",
        usage: "getsockopt NAME OPTION",
        help: "Reads a socket option; changes nothing.",
        example: "getsockopt s SO_RESERVE_MEM",
        args: &[SOCK, OPTION],
    },
    OpSyntax {
        name: "send",
        usage: "send NAME BYTES [xCOUNT]",
        help: "Sends BYTES, COUNT times, without blocking; stops at the first error.",
        example: "send s 1000 x100",
        args: &[SOCK, BYTES, COUNT],
    },
    OpSyntax {
        name: "ack",
        usage: "ack NAME [BYTES] [win=BYTES]",
        help: "One ACK of the peer, BYTES further or for all that was sent; win is its new window.",
        example: "ack s 1460 win=0",
        args: &[
            SOCK,
            number("bytes", Form::MaybeNumber, "a number of bytes", 1, u32::MAX as i64),
            number("win", Form::Named, "a number of bytes", 0, WINDOW_MAX),
        ],
    },
    OpSyntax {
        name: "ack_all",
        usage: "ack_all NAME",
        help: "The peer acknowledges everything, again and again, until nothing is left to send.",
        example: "ack_all s",
        args: &[SOCK],
    },
    OpSyntax {
        name: "peer_win",
        usage: "peer_win NAME BYTES",
        help: "The peer announces a new window and acknowledges nothing new.",
        example: "peer_win s 0",
        args: &[SOCK, number("win", Form::Number, "a number of bytes", 0, WINDOW_MAX)],
    },
    OpSyntax {
        name: "rx",
        usage: "rx NAME LEN [xCOUNT] [respect_window] [win_snapshot] [read_every=N] [rewind_unacked] [truesize=BYTES]",
        help: "Segments of LEN bytes arrive in order from the peer.",
        example: "rx s 1460 x10 respect_window",
        args: &[
            SOCK,
            LEN,
            COUNT,
            flag("respect_window"),
            flag("win_snapshot"),
            number("read_every", Form::Named, "a number of segments", 0, COUNT_MAX),
            flag("rewind_unacked"),
            TRUESIZE,
        ],
    },
    OpSyntax {
        name: "rx_at",
        usage: "rx_at NAME OFFSET LEN [xCOUNT] [stride=BYTES] [truesize=BYTES]",
        help: "Segments arrive OFFSET bytes away from the next expected one.",
        example: "rx_at s +2920 1460",
        args: &[
            SOCK,
            number("ofs", Form::Signed, "an offset in bytes", -1_073_741_824, 1_073_741_824),
            LEN,
            COUNT,
            number("stride", Form::Named, "a number of bytes", 0, BYTES_MAX),
            TRUESIZE,
        ],
    },
    OpSyntax {
        name: "rx_skip",
        usage: "rx_skip NAME BYTES",
        help: "Moves the peer's next sequence number forward and sends nothing.",
        example: "rx_skip s 1460",
        args: &[SOCK, BYTES],
    },
    OpSyntax {
        name: "rx_fin",
        usage: "rx_fin NAME",
        help: "The peer's FIN arrives.",
        example: "rx_fin s",
        args: &[SOCK],
    },
    OpSyntax {
        name: "rx_rst",
        usage: "rx_rst NAME",
        help: "The peer's RST arrives.",
        example: "rx_rst s",
        args: &[SOCK],
    },
    OpSyntax {
        name: "read",
        usage: "read NAME BYTES [xCOUNT]",
        help: "Reads up to BYTES, COUNT times, without blocking.",
        example: "read s 1000",
        args: &[SOCK, BYTES, COUNT],
    },
    OpSyntax {
        name: "read_all",
        usage: "read_all NAME",
        help: "Reads until nothing is left (the last call fails with EAGAIN).",
        example: "read_all s",
        args: &[SOCK],
    },
    OpSyntax {
        name: "udp_rx",
        usage: "udp_rx NAME LEN [xCOUNT] [truesize=BYTES]",
        help: "Datagrams of LEN bytes arrive from the peer.",
        example: "udp_rx u 1000 x3",
        args: &[SOCK, LEN, COUNT, TRUESIZE],
    },
    OpSyntax {
        name: "udp_send",
        usage: "udp_send NAME LEN [xCOUNT] [no_pump]",
        help: "Sends datagrams; with no_pump the device takes none of them meanwhile.",
        example: "udp_send u 1000 x30 no_pump",
        args: &[SOCK, LEN, COUNT, flag("no_pump")],
    },
    OpSyntax {
        name: "sysctl",
        usage: "sysctl KEY VALUE...",
        help: "Writes a sysctl.",
        example: "sysctl net.ipv4.tcp_mem 1 2 3",
        args: &[word("key", Form::Key, "a sysctl"), word("value", Form::Rest, "the value")],
    },
    OpSyntax {
        name: "cgroup",
        usage: "cgroup FILE VALUE",
        help: "Writes a file of the task's own cgroup; max lifts the limit.",
        example: "cgroup memory.max 4194304",
        args: &[
            word("file", Form::File, "memory.max"),
            number("value", Form::OrMax, "a number of bytes or max", -1, 1 << 62),
        ],
    },
    OpSyntax {
        name: "cgroup_leave",
        usage: "cgroup_leave",
        help: "The task moves to the root cgroup.",
        example: "cgroup_leave",
        args: &[],
    },
    OpSyntax {
        name: "cgroup_enter",
        usage: "cgroup_enter",
        help: "The task moves back into its own cgroup.",
        example: "cgroup_enter",
        args: &[],
    },
    OpSyntax {
        name: "bpf_bypass",
        usage: "bpf_bypass VALUE",
        help: "Attaches a BPF program that sets SK_BPF_BYPASS_PROT_MEM on new sockets; 0 detaches it.",
        example: "bpf_bypass 1",
        args: &[number("value", Form::Number, "a number", i32::MIN as i64, i32::MAX as i64)],
    },
    OpSyntax {
        name: "sleep",
        usage: "sleep TIMEms",
        help: "Time passes; timers may fire.",
        example: "sleep 300ms",
        args: &[number("ms", Form::Millis, "a time such as 300ms", 0, SLEEP_MS_MAX)],
    },
    OpSyntax {
        name: "state",
        usage: "state",
        help: "Nothing happens; the state is looked at.",
        example: "state",
        args: &[],
    },
    OpSyntax {
        name: "shutdown",
        usage: "shutdown NAME",
        help: "Shuts the sending side down: a FIN follows the data.",
        example: "shutdown s",
        args: &[SOCK],
    },
    OpSyntax {
        name: "close",
        usage: "close NAME [rst]",
        help: "Closes the socket; rst resets the connection.",
        example: "close s rst",
        args: &[SOCK, flag("rst")],
    },
];
