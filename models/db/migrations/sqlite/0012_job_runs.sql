-- +goose Up
-- What the jobs have done. The key keeps a job from being done twice for the same time.
CREATE TABLE job_runs (
    job TEXT NOT NULL,
    period DATETIME NOT NULL, -- the start of the hour, or of the UTC day, it was done for
    done_at DATETIME NOT NULL,
    rows BIGINT NOT NULL CHECK (rows >= 0), -- how much there was to do
    PRIMARY KEY (job, period)
);

-- What the admins were told is wrong. An alarm is open until cleared_at.
CREATE TABLE alarms (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    subject TEXT NOT NULL, -- which one, where there are several: a job's name
    detail TEXT NOT NULL,
    raised_at DATETIME NOT NULL,
    seen_at DATETIME NOT NULL, -- when it was last found to be so
    cleared_at DATETIME
);

CREATE UNIQUE INDEX alarms_open ON alarms (name, subject) WHERE cleared_at IS NULL;

CREATE INDEX alarms_by_age ON alarms (cleared_at) WHERE cleared_at IS NOT NULL;
