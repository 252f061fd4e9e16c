//! Request bodies of the API: the first line of an input is the content type, the rest is the body.

use std::fmt::Debug;

use axum::http::HeaderValue;
use futures_util::FutureExt as _;

use super::super::bodies::{Read, bytes, read};

pub fn check(input: &[u8]) {
    let Some(end) = input.iter().position(|byte| *byte == b'\n') else {
        return;
    };
    let (kind, body) = (&input[..end], &input[end + 1..]);
    let Some(kind) = std::str::from_utf8(kind)
        .ok()
        .filter(|kind| HeaderValue::from_str(kind).is_ok())
    else {
        return;
    };
    let whole = parsed(kind, body, body.len().max(1));
    match &whole {
        Ok((_, files)) => {
            let total: u64 = files.iter().map(|file| file.bytes).sum();
            assert!(total <= body.len() as u64, "the files are larger than the body");
            for file in files {
                let length = file.name.chars().count();
                assert!((1..=255).contains(&length), "{:?}", file.name);
                assert!(!file.name.contains(['/', '\\', '\0', '\n']), "{:?}", file.name);
            }
        }
        Err((status, code, _)) => {
            assert!((400..500).contains(status) && !code.is_empty(), "{whole:?}");
        }
    }
    // How the body is divided on its way means nothing.
    for chunk in [1, 7] {
        assert_same(&parsed(kind, body, chunk), &whole, &chunk);
    }
    // Neither do blanks around JSON.
    if !kind.to_ascii_lowercase().contains("multipart") {
        let padded = [b" \r\n".as_slice(), body, b"\n\t "].concat();
        assert_same(&parsed(kind, &padded, padded.len()), &whole, &"padded");
    }
}

/// Bodies of this size are parsed without waiting for anything.
fn parsed(kind: &str, body: &[u8], chunk: usize) -> Read {
    read(kind, body, chunk)
        .now_or_never()
        .expect("the parser waits for what has arrived")
}

fn assert_same(found: &Read, expected: &Read, variant: &dyn Debug) {
    match (found, expected) {
        (Ok((fields, files)), Ok((other_fields, other_files))) => {
            assert_eq!(fields, other_fields, "{variant:?}");
            assert_eq!(files.len(), other_files.len(), "{variant:?}");
            for (file, other) in files.iter().zip(other_files) {
                assert_eq!(file.name, other.name, "{variant:?}");
                assert_eq!(file.declared_type, other.declared_type, "{variant:?}");
                assert_eq!(file.part, other.part, "{variant:?}");
                assert_eq!(bytes(file), bytes(other), "{variant:?}");
            }
        }
        (Err(found), Err(expected)) => assert_eq!(found, expected, "{variant:?}"),
        _ => panic!("{variant:?}: {found:?} instead of {expected:?}"),
    }
}
