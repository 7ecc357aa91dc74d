-- Runs, their items, every reply as it came, what cleaning made of it, and what became of each item.
-- Written for SQLite and PostgreSQL alike: keys are texts, times are seconds since 1970 (UTC).

-- Texts that many calls share, such as the constant part of a prompt: each is here once.
CREATE TABLE texts (
    digest TEXT PRIMARY KEY,
    text TEXT NOT NULL
);

CREATE TABLE runs (
    id TEXT PRIMARY KEY,
    started DOUBLE PRECISION NOT NULL,
    finished DOUBLE PRECISION,
    state TEXT NOT NULL,
    job TEXT NOT NULL,
    job_digest TEXT NOT NULL,
    cleaning_digest TEXT NOT NULL,
    job_text TEXT NOT NULL REFERENCES texts (digest),
    language TEXT,
    version TEXT NOT NULL
);

CREATE TABLE items (
    key TEXT PRIMARY KEY,
    id TEXT,
    brief TEXT NOT NULL
);

CREATE TABLE run_items (
    run TEXT NOT NULL REFERENCES runs (id),
    position BIGINT NOT NULL,
    item TEXT NOT NULL REFERENCES items (key),
    PRIMARY KEY (run, position)
);

CREATE INDEX run_items_item ON run_items (item);

CREATE TABLE calls (
    key TEXT PRIMARY KEY,
    item TEXT NOT NULL REFERENCES items (key),
    part TEXT NOT NULL,
    ask BIGINT NOT NULL,
    run TEXT,
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    language TEXT,
    system TEXT NOT NULL REFERENCES texts (digest),
    messages TEXT NOT NULL,
    settings TEXT NOT NULL,
    began DOUBLE PRECISION NOT NULL,
    day TEXT NOT NULL,
    seconds DOUBLE PRECISION NOT NULL,
    stop TEXT NOT NULL,
    text TEXT NOT NULL,
    thinking TEXT NOT NULL,
    detail TEXT NOT NULL,
    answered_by TEXT NOT NULL,
    request_id TEXT,
    input_tokens BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    cache_read_tokens BIGINT NOT NULL,
    cache_write_tokens BIGINT NOT NULL,
    thinking_tokens BIGINT NOT NULL,
    cost DOUBLE PRECISION
);

CREATE INDEX calls_item ON calls (item);

CREATE TABLE failures (
    call TEXT NOT NULL,
    began DOUBLE PRECISION NOT NULL,
    attempt BIGINT NOT NULL,
    item TEXT NOT NULL,
    part TEXT NOT NULL,
    ask BIGINT NOT NULL,
    run TEXT,
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    seconds DOUBLE PRECISION NOT NULL,
    fault TEXT NOT NULL,
    status BIGINT,
    message TEXT NOT NULL,
    partial TEXT NOT NULL,
    request_id TEXT,
    input_tokens BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    cache_read_tokens BIGINT NOT NULL,
    cache_write_tokens BIGINT NOT NULL,
    thinking_tokens BIGINT NOT NULL,
    cost DOUBLE PRECISION,
    PRIMARY KEY (call, began, attempt)
);

CREATE INDEX failures_item ON failures (item);

-- `key` is made of call and digest, so that removals and doubts need no longer one.
CREATE TABLE cleanings (
    key TEXT PRIMARY KEY,
    call TEXT NOT NULL REFERENCES calls (key),
    digest TEXT NOT NULL,
    at DOUBLE PRECISION NOT NULL,
    outcome TEXT NOT NULL,
    cause TEXT
);

CREATE INDEX cleanings_call ON cleanings (call, at);

CREATE TABLE removals (
    cleaning TEXT NOT NULL REFERENCES cleanings (key),
    number BIGINT NOT NULL,
    first BIGINT NOT NULL,
    past BIGINT NOT NULL,
    reason TEXT NOT NULL,
    pattern TEXT,
    leak BOOLEAN NOT NULL,
    PRIMARY KEY (cleaning, number)
);

CREATE INDEX removals_pattern ON removals (pattern, reason);

CREATE TABLE doubts (
    cleaning TEXT NOT NULL REFERENCES cleanings (key),
    number BIGINT NOT NULL,
    first BIGINT NOT NULL,
    past BIGINT NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (cleaning, number)
);

CREATE TABLE outcomes (
    item TEXT NOT NULL REFERENCES items (key),
    job_digest TEXT NOT NULL,
    cleaning_digest TEXT NOT NULL,
    run TEXT,
    at DOUBLE PRECISION NOT NULL,
    status TEXT NOT NULL,
    cause TEXT,
    text TEXT,
    record TEXT,
    doubts TEXT NOT NULL,
    flagged BOOLEAN NOT NULL,
    validated BOOLEAN NOT NULL,
    final BOOLEAN NOT NULL,
    calls TEXT NOT NULL,
    cost DOUBLE PRECISION,
    seconds DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (item, job_digest, cleaning_digest)
);

CREATE INDEX outcomes_status ON outcomes (job_digest, cleaning_digest, status);

CREATE TABLE batches (
    provider TEXT NOT NULL,
    id TEXT NOT NULL,
    run TEXT,
    state TEXT NOT NULL,
    submitted DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (provider, id)
);

CREATE INDEX batches_state ON batches (state);

CREATE TABLE batch_calls (
    provider TEXT NOT NULL,
    batch TEXT NOT NULL,
    request TEXT NOT NULL,
    call TEXT NOT NULL,
    PRIMARY KEY (provider, batch, request),
    FOREIGN KEY (provider, batch) REFERENCES batches (provider, id)
);

CREATE INDEX batch_calls_call ON batch_calls (call);

-- Who works on what at this moment, so that two runs on one journal don't pay for the same reply.
CREATE TABLE claims (
    key TEXT PRIMARY KEY,
    holder TEXT NOT NULL
);

CREATE INDEX claims_holder ON claims (holder);
