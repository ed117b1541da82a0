/** This SQL tells whether the session of a push subscription has run out by an instant, which is its only binding. */
export const sessionHasRunOut = `exists (
  select from sessions s
  where s.id_hash = push_subscriptions.session_id_hash and least(s.expires_at, s.absolute_expires_at) <= ?
)`
