/** Of a signed-in device; on the server `org:<userId>` and `account:<userId>`. */
export const scopes = ['org', 'account'] as const
export type Scope = (typeof scopes)[number]

export const collectionScope = { events: 'org', applications: 'org', account: 'account' } as const
export const collections = ['events', 'applications', 'account'] as const
export type Collection = (typeof collections)[number]
