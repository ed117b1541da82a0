/** A badge says this about an event that not everyone sees. */
export const visibilityWords: Readonly<Record<string, string>> = { hidden: 'Not yet public', unlisted: 'Unlisted' }
