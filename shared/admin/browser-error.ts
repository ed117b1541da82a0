/** This is apart from the schemas, so that a page need not load zod. A page reports no more than this at once. */
export const maxReported = { errors: 20, frames: 8, times: 1000 } as const
