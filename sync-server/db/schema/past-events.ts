/**
 * Views older than 90 days are kept as one sum of an event and source, without their days. Every event that is over for
 * twelve months is looked at once more, because it leaves the public feed.
 */
export const pastEvents = `
create table event_view_sums (
  event_id bigint not null references events on delete cascade,
  source text not null,
  views integer not null,
  primary key (event_id, source)
);
create index event_views_day on event_views (day);
create view all_event_views as
  select event_id, day, source, views from event_views
  union all select event_id, null, source, views from event_view_sums;

update events set purged_for = null where purged_for is not null;
`
