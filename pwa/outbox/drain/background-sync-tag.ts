/** The name under which the page asks for Background Sync and the worker is woken. */
export const outboxTag = 'beaconry-outbox'
