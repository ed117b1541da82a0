/**
 * The search by words reads these rows: the plain form of what events are searched for, as `wordFinder` of
 * shared/text/matching.ts has it. It is followed by words that have hyphens, without these. The rows are apart from
 * `events`, which is read far more often, and those of past events are removed, so that no search reads them. New
 * trigrams go into the index at once, because a list of them for later takes 150 kB for a long event.
 */
export const eventWords = `
create extension if not exists pg_trgm;
create table event_words (
  event_id bigint primary key references events on delete cascade,
  end_date date not null,
  words text not null
);

create or replace function words_of_event(name text, location text, description text, city text)
returns text language sql immutable parallel safe as $$
  select concat_ws(E'\\n', plain_text(given), plain_text((
    select string_agg(translate(word[1], '-‐‑‒–—―−﹘﹣－', ''), ' ')
    from regexp_matches(given, '\\S*[-‐‑‒–—―−﹘﹣－]\\S*', 'g') as word
  ))) from concat_ws(E'\\n', name, location, description, city) as given
$$;
create or replace function keep_event_words() returns trigger language plpgsql as $$
begin
  insert into event_words (event_id, end_date, words)
  values (new.id, new.end_date, words_of_event(new.name, new.location, new.description, new.city))
  on conflict (event_id) do update set end_date = excluded.end_date, words = excluded.words
    where (event_words.end_date, event_words.words) <> (excluded.end_date, excluded.words);
  return null;
end $$;

insert into event_words (event_id, end_date, words)
  select id, end_date, words_of_event(name, location, description, city) from events where end_date > current_date - 3;

create index event_words_trigrams on event_words using gin (words gin_trgm_ops) with (fastupdate = off);
create index event_words_ended on event_words (end_date);
create trigger events_words_follow after insert or update of name, location, description, city, end_date on events
  for each row execute function keep_event_words();
`
