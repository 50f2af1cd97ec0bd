//! Requests to the kernel's interface for network devices: rtnetlink(7), as far as it is needed here. A request concerns the
//! namespace of the thread that makes it.

use std::io;
use std::net::Ipv4Addr;
use std::os::fd::OwnedFd;

use rustix::net::netdevice::name_to_index;
use rustix::net::netlink::SocketAddrNetlink;
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, recv, sendto, socket_with};

/// `nlmsghdr`: length, type, flags, sequence number, sender.
const HEADER: usize = 16;

const NLMSG_ERROR: u16 = 2;
const RTM_NEWLINK: u16 = 16;
const RTM_NEWADDR: u16 = 20;

const NLM_F_REQUEST: u16 = 0x1;
const NLM_F_ACK: u16 = 0x4;
const NLM_F_EXCL: u16 = 0x200;
const NLM_F_CREATE: u16 = 0x400;

const IFF_UP: u32 = 1;
const IFLA_MTU: u16 = 4;
const IFLA_TXQLEN: u16 = 13;
const IFA_ADDRESS: u16 = 1;
const IFA_LOCAL: u16 = 2;
const AF_INET: u8 = 2;

/// Index of the loopback device, the first one in a namespace.
const LOOPBACK: u32 = 1;

/// A connection to the kernel, in one namespace.
#[derive(Debug)]
pub(crate) struct Netlink(OwnedFd);

impl Netlink {
    /// Opens a socket in the namespace of this thread.
    pub fn open() -> io::Result<Self> {
        // Protocol 0 is NETLINK_ROUTE.
        let socket = socket_with(AddressFamily::NETLINK, SocketType::RAW, SocketFlags::CLOEXEC, None)?;
        Ok(Self(socket))
    }

    /// Brings the loopback device up, which makes it 127.0.0.1.
    pub fn raise_loopback(&self) -> io::Result<()> {
        self.ask(RTM_NEWLINK, 0, &link(LOOPBACK))
    }

    /// Gives a device its address, and brings it up: at most `queue` packets wait in it.
    pub fn raise(&self, device: &str, address: Ipv4Addr, prefix: u8, mtu: u16, queue: u32) -> io::Result<()> {
        let index = name_to_index(&self.0, device)?;
        let mut body = link(index);
        push_attribute(&mut body, IFLA_MTU, &u32::from(mtu).to_ne_bytes());
        push_attribute(&mut body, IFLA_TXQLEN, &queue.to_ne_bytes());
        self.ask(RTM_NEWLINK, 0, &body)?;
        // ifaddrmsg: family, prefix, flags, scope, device.
        let mut body = vec![AF_INET, prefix, 0, 0];
        body.extend(index.to_ne_bytes());
        push_attribute(&mut body, IFA_LOCAL, &address.octets());
        push_attribute(&mut body, IFA_ADDRESS, &address.octets());
        self.ask(RTM_NEWADDR, NLM_F_CREATE | NLM_F_EXCL, &body)
    }

    /// Sends a request and waits for its acknowledgement.
    fn ask(&self, kind: u16, flags: u16, body: &[u8]) -> io::Result<()> {
        let length = u32::try_from(HEADER + body.len()).expect("a request is short");
        let mut message = length.to_ne_bytes().to_vec();
        message.extend(kind.to_ne_bytes());
        message.extend((flags | NLM_F_REQUEST | NLM_F_ACK).to_ne_bytes());
        // Sequence number and sender: there is one request at a time.
        message.extend([0; 8]);
        message.extend(body);
        sendto(&self.0, &message, SendFlags::empty(), &SocketAddrNetlink::new(0, 0))?;
        let mut answer = [0_u8; 4096];
        let (length, _) = recv(&self.0, &mut answer, RecvFlags::empty())?;
        outcome(&answer[..length])
    }
}

/// `ifinfomsg` of a device that is to be up: family, type, device, flags, which of them change.
fn link(index: u32) -> Vec<u8> {
    let mut body = vec![0; 4];
    for word in [index, IFF_UP, IFF_UP] {
        body.extend(word.to_ne_bytes());
    }
    body
}

/// `rtattr`: length, type, value. All values here are whole words, so that nothing has to be padded.
fn push_attribute(body: &mut Vec<u8>, kind: u16, value: &[u8; 4]) {
    body.extend(8_u16.to_ne_bytes());
    body.extend(kind.to_ne_bytes());
    body.extend(value);
}

/// `nlmsgerr`: a negative error number, or 0.
fn outcome(answer: &[u8]) -> io::Result<()> {
    let odd = || io::Error::other("an odd answer to a netlink request");
    let kind = answer.get(4..6).and_then(|bytes| bytes.try_into().ok()).map(u16::from_ne_bytes);
    let error =
        answer.get(HEADER..HEADER + 4).and_then(|bytes| bytes.try_into().ok()).map(i32::from_ne_bytes);
    match (kind, error) {
        (Some(NLMSG_ERROR), Some(0)) => Ok(()),
        (Some(NLMSG_ERROR), Some(error)) => Err(io::Error::from_raw_os_error(-error)),
        _ => Err(odd()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(kind: u16, error: i32) -> Vec<u8> {
        let mut answer = vec![0; HEADER];
        answer[4..6].copy_from_slice(&kind.to_ne_bytes());
        answer.extend(error.to_ne_bytes());
        answer
    }

    #[test]
    fn an_error_of_the_kernel_is_an_error() {
        assert!(outcome(&answer(NLMSG_ERROR, 0)).is_ok());
        let denied = outcome(&answer(NLMSG_ERROR, -1)).unwrap_err();
        assert_eq!(denied.kind(), io::ErrorKind::PermissionDenied);
    }

    #[test]
    fn an_odd_answer_is_an_error() {
        for odd in [Vec::new(), vec![0; 17], answer(RTM_NEWLINK, 0)] {
            assert!(outcome(&odd).is_err());
        }
    }
}
