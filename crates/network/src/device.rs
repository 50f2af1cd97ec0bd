//! TUN devices: packets that a namespace sends to its device are read here, and packets written here arrive in the namespace.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::os::fd::{AsFd, BorrowedFd};

use rustix::io::Errno;
use tun_rs::{DeviceBuilder, SyncDevice};

use crate::error::NetworkError;
use crate::netlink::Netlink;
use crate::subnet::{Subnet, Taken};

/// Name of the device in the namespace of a node.
const INSIDE: &str = "net0";

/// Packets that wait to be read by the router. The kernel's 500 would lose small packets of a fast connection.
const QUEUE: u32 = 10_000;

const TUN: &str = "/dev/net/tun";

/// Addresses and routes of the namespace that a thread is in.
const ROUTES: &str = "/proc/thread-self/net/fib_trie";

/// A device that vanishes when it is dropped, or when this process ends.
pub(crate) struct Device(SyncDevice);

impl Device {
    /// The device of node `number`, in the namespace of this thread.
    pub fn inside(subnet: Subnet, number: usize, node: &str, mtu: u16) -> Result<Self, NetworkError> {
        let device = Self::open(INSIDE).and_then(|device| device.raised(INSIDE, subnet, number, mtu));
        device.map_err(|source| NetworkError::of_device("make the network device", node, source))
    }

    /// The device of the host, in the namespace of this thread, with the first free subnet from number `first` on.
    pub fn of_host(first: u16, mtu: u16) -> Result<(Self, Subnet), NetworkError> {
        let failed =
            |source: io::Error| NetworkError::of_device("make the network device", crate::HOST, source);
        let taken = Taken::read(&fs::read_to_string(ROUTES).map_err(failed)?);
        for subnet in taken.free(first) {
            let name = subnet.device();
            match Self::open(&name) {
                // Somebody took the subnet since the routes were read, or is about to.
                Err(error) if is_busy(&error) => {}
                Err(error) => return Err(failed(error)),
                Ok(device) => return Ok((device.raised(&name, subnet, 0, mtu).map_err(failed)?, subnet)),
            }
        }
        Err(NetworkError::NoSubnet)
    }

    fn open(name: &str) -> io::Result<Self> {
        let device = DeviceBuilder::new().name(name).build_sync()?;
        device.set_nonblocking(true)?;
        Ok(Self(device))
    }

    fn raised(self, name: &str, subnet: Subnet, number: usize, mtu: u16) -> io::Result<Self> {
        Netlink::open()?.raise(name, subnet.address(number), Subnet::PREFIX, mtu, QUEUE)?;
        Ok(self)
    }

    /// Reads a packet; none if there is none.
    pub fn read(&self, buffer: &mut [u8]) -> Option<usize> {
        // A device that was taken down by somebody has nothing to say either.
        rustix::io::read(&self.0, buffer).ok().filter(|length| *length > 0)
    }

    /// Hands a packet to the kernel of the namespace; false if it does not take it.
    pub fn write(&self, packet: &[u8]) -> bool {
        rustix::io::write(&self.0, packet).is_ok()
    }
}

impl AsFd for Device {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// Fails if this process may not use TUN devices. The library would make the file of the device where it is missing.
pub(crate) fn check() -> Result<(), NetworkError> {
    match File::options().read(true).write(true).open(TUN) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            Err(NetworkError::TunDenied { source: error })
        }
        // There is no file, or no driver behind it.
        Err(_) => Err(NetworkError::NoTun),
    }
}

fn is_busy(error: &io::Error) -> bool {
    Errno::from_io_error(error) == Some(Errno::BUSY)
}
