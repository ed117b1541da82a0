/** Limits the words to an event's organizer, in characters. */
export const longestReason = 500
