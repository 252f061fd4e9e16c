//! Previous signing secrets: how long each is accepted, and how they are stored.

use std::time::Duration;

use chrono::{DateTime, Utc};
use corbel::assistants::slack::previous_secrets::PreviousSecrets;
use corbel::base::error::Result;
use corbel::base::secret::Secret;

#[test]
fn each_is_accepted_for_a_day_and_the_older_format_is_readable() -> Result<()> {
    let hour = |hours: u64| DateTime::<Utc>::UNIX_EPOCH + Duration::from_secs(hours * 3600);
    let [one, two, three] = ["one", "two", "three"].map(Secret::new);
    let mut kept = PreviousSecrets::read(Some(one.clone()), Some(hour(24)));
    kept.push_previous(two.clone(), &three, hour(1))?;
    kept = PreviousSecrets::read(kept.text()?, kept.until());
    let accepted = |kept: &PreviousSecrets, at| kept.accepted(hour(at)).cloned().collect::<Vec<_>>();
    assert_eq!(accepted(&kept, 23), [two.clone(), one.clone()]);
    assert_eq!(accepted(&kept, 24), std::slice::from_ref(&two));
    assert_eq!((kept.until(), accepted(&kept, 25)), (Some(hour(25)), Vec::new()));
    // Back to the first secret, which is then no longer a previous one.
    kept.push_previous(three.clone(), &one, hour(2))?;
    assert_eq!(accepted(&kept, 3), [three, two]);
    for n in 0..2_u32 {
        kept.push_previous(Secret::new(n.to_string()), &Secret::new("next"), hour(3))?;
    }
    assert!(
        kept.push_previous(Secret::new("5"), &Secret::new("6"), hour(3))
            .is_err()
    );
    assert!(PreviousSecrets::read(None, Some(hour(1))).text()?.is_none());
    Ok(())
}
