-- PostgreSQL runs this once, for an empty data folder: the role that Beaconry connects as owns its database and may do
-- nothing beyond it, and the superuser loses its password, so that only a shell in this container can be it.
\getenv password DATABASE_PASSWORD
create role beaconry login nocreatedb password :'password';
grant pg_read_all_stats to beaconry;
create database beaconry owner beaconry;
-- The pooler passes no time limits on.
alter role beaconry set statement_timeout = '20s';
alter role beaconry set lock_timeout = '10s';
alter role beaconry set idle_in_transaction_session_timeout = '30s';
alter role postgres password null;
