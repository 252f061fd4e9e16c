-- When a call that bears the address was last refused for its signature or time: against when one was
-- accepted, it shows a wrong signing secret or clock.
ALTER TABLE installations ADD COLUMN refused_at TIMESTAMPTZ;

-- Failed deliveries that an administrator does not want to see any more.
ALTER TABLE deliveries ADD COLUMN dismissed_at TIMESTAMPTZ;
