/** A signed-in device follows these; on the server they are `org:<userId>` and `account:<userId>`. */
export const scopes = ['org', 'account'] as const
export type Scope = (typeof scopes)[number]

export const collections = ['events', 'applications', 'account'] as const
export type Collection = (typeof collections)[number]
export const collectionsOf = {
  org: ['events', 'applications'],
  account: ['account'],
} as const satisfies Record<Scope, readonly Collection[]>

/** Limits how many acknowledgements' checkpoints a pull names. */
export const maxNamed = 40
