//! What passes over a connection: frames, each a tag, a length and so many bytes.

use std::io::{self, Read, Write};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// States for the receiver.
    Rows(Vec<u8>),
    /// What the sender says in a round, at whose end it stands.
    Said(Vec<u8>),
    /// The sender is there.
    Alive,
    /// The work is done; the exit status of all.
    Farewell(u8),
    /// The sender gives up, and why.
    Trouble(Vec<u8>),
}

/// No frame is longer.
const MOST: u32 = 1 << 30;

impl Frame {
    fn tag(&self) -> u8 {
        match self {
            Self::Rows(_) => 1,
            Self::Said(_) => 2,
            Self::Alive => 3,
            Self::Farewell(_) => 4,
            Self::Trouble(_) => 5,
        }
    }

    fn bytes(&self) -> &[u8] {
        match self {
            Self::Rows(bytes) | Self::Said(bytes) | Self::Trouble(bytes) => bytes,
            Self::Farewell(status) => std::slice::from_ref(status),
            Self::Alive => &[],
        }
    }

    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let bytes = self.bytes();
        let len = u32::try_from(bytes.len()).ok().filter(|&len| len <= MOST);
        let len = len.ok_or_else(|| io::Error::other("a frame is too long"))?;
        let mut head = [self.tag(), 0, 0, 0, 0];
        head[1..].copy_from_slice(&len.to_le_bytes());
        out.write_all(&head)?;
        out.write_all(bytes)
    }

    pub fn read(from: &mut impl Read) -> io::Result<Self> {
        let mut head = [0; 5];
        from.read_exact(&mut head)?;
        let [tag, len @ ..] = head;
        let len = u32::from_le_bytes(len);
        let unreadable = || io::Error::new(io::ErrorKind::InvalidData, "what it says is no frame");
        if len > MOST {
            return Err(unreadable());
        }
        // Memory is taken as bytes come, not as they are announced.
        let mut bytes = Vec::new();
        from.take(len.into()).read_to_end(&mut bytes)?;
        if bytes.len() != len as usize {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        match (tag, bytes.as_slice()) {
            (1, _) => Ok(Self::Rows(bytes)),
            (2, _) => Ok(Self::Said(bytes)),
            (3, []) => Ok(Self::Alive),
            (4, &[status]) => Ok(Self::Farewell(status)),
            (5, _) => Ok(Self::Trouble(bytes)),
            _ => Err(unreadable()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_come_back() {
        let frames = [
            Frame::Rows(vec![1, 2, 3]),
            Frame::Said(Vec::new()),
            Frame::Alive,
            Frame::Farewell(3),
            Frame::Trouble(b"why".to_vec()),
        ];
        let mut bytes = Vec::new();
        for frame in &frames {
            frame.write(&mut bytes).unwrap();
        }
        let mut rest = bytes.as_slice();
        for frame in frames {
            assert_eq!(Frame::read(&mut rest).unwrap(), frame);
        }
        assert!(Frame::read(&mut rest).is_err());
    }

    #[test]
    fn what_is_no_frame_is_refused() {
        for bytes in [
            &[9, 0, 0, 0, 0][..],
            &[1, 255, 255, 255, 255],
            &[1, 2, 0, 0, 0, 7],
        ] {
            assert!(Frame::read(&mut &*bytes).is_err());
        }
    }
}
