//! The payload: text, compressed, with its length and checksum, in base64url.

use super::error::LinkError;
use crate::scenario::limits::TEXT_MAX;
use base64::Engine;
use base64::alphabet::URL_SAFE;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_with_limit};

/// base64url without padding. Spare bits of the last character are let pass: the checksum covers
/// the bytes.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new()
        .with_encode_padding(false)
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::RequireNone),
);

/// Length and checksum in front of the compressed data.
const HEAD: usize = 8;
/// As small as the compressor can make it.
const LEVEL: u8 = 10;

/// Text to payload.
pub(super) fn pack(text: &str) -> Result<String, LinkError> {
    if text.len() > TEXT_MAX as usize {
        return Err(LinkError::TooLarge);
    }
    let data = compress_to_vec(text.as_bytes(), LEVEL);
    let length = u32::try_from(data.len()).map_err(|_| LinkError::TooLarge)?;
    let mut bytes = Vec::with_capacity(HEAD + data.len());
    bytes.extend(length.to_be_bytes());
    bytes.extend(crc32(&data).to_be_bytes());
    bytes.extend(data);
    Ok(BASE64.encode(bytes))
}

/// CRC-32 as in zip and PNG, bit by bit: payloads are small, and the usual tables would be a twentieth of the page.
/// `tests/links.rs` holds it to crc32fast.
fn crc32(data: &[u8]) -> u32 {
    const POLYNOMIAL: u32 = 0xEDB8_8320;
    let shift = |crc: u32, _| (crc >> 1) ^ (POLYNOMIAL & (crc & 1).wrapping_neg());
    !data.iter().fold(u32::MAX, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), shift))
}

/// Payload to text.
pub(super) fn unpack(payload: &str) -> Result<String, LinkError> {
    let bytes = decode(payload)?;
    let Some((head, data)) = bytes.split_at_checked(HEAD) else {
        return Err(LinkError::Truncated { expected: HEAD as u64, found: bytes.len() as u64 });
    };
    let (length, checksum) = (word(&head[..4]), word(&head[4..]));
    let (expected, found) = (u64::from(length) + HEAD as u64, bytes.len() as u64);
    if found < expected {
        return Err(LinkError::Truncated { expected, found });
    }
    if found > expected {
        return Err(LinkError::Trailing { expected, found });
    }
    let actual = crc32(data);
    if actual != checksum {
        return Err(LinkError::Checksum { expected: checksum, found: actual });
    }
    let text = decompress_to_vec_with_limit(data, TEXT_MAX as usize).map_err(|e| match e.status {
        TINFLStatus::HasMoreOutput => LinkError::TooLarge,
        _ => LinkError::Content { why: "it is not raw DEFLATE data" },
    })?;
    String::from_utf8(text).map_err(|_| LinkError::Content { why: "it is not UTF-8" })
}

fn word(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |value, byte| value << 8 | u32::from(*byte))
}

fn decode(payload: &str) -> Result<Vec<u8>, LinkError> {
    let wrong = payload.chars().zip(1_u32..).find(|(c, _)| !c.is_ascii_alphanumeric() && !"-_".contains(*c));
    if let Some((found, at)) = wrong {
        return Err(LinkError::Base64 { at, found });
    }
    // A single character left over holds no byte: the rest of its group was cut off.
    let whole = if payload.len() % 4 == 1 { &payload[..payload.len() - 1] } else { payload };
    BASE64.decode(whole).map_err(|_| LinkError::Content { why: "it is not base64url" })
}
