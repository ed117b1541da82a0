/** Apart from the schemas, so that a page need not load zod. A page reports no more than this at once. */
export const mostReported = { errors: 20, frames: 8, times: 1000 } as const
