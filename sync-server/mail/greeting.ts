/** How a mail to a user begins; without a name where it may not say one. */
export const greeting = (name: string) => (name === '' ? 'Hello,' : `Hello ${name},`)
