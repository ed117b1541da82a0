import type { EndpointName } from '#shared/contract/endpoints.ts'

/** Calls that answer a list. Kept here by hand, because the contract's own schemas weigh too much for a first load; a test compares. */
export const lists: ReadonlySet<EndpointName> = new Set<EndpointName>([
  'listSessions',
  'listAccounts',
  'listRefusedChanges',
  'listAskedTries',
  'listEvents',
  'listOrganizerEvents',
  'listBeacons',
  'listApplications',
  'listPlans',
  'listAlertedDevices',
  'listDecisions',
])

const user = ['id', 'username', 'email']
/** What the app cannot do without, where an answer decides what it keeps: who is signed in, what an event is. */
export const needed: Readonly<Partial<Record<EndpointName, readonly string[]>>> = {
  getUser: user,
  login: user,
  register: user,
  findSession: ['signedIn'],
  getEvent: ['id', 'name', 'startDate', 'endDate'],
  getSubscription: ['subscription', 'plan', 'canCreateEvent'],
  getOwnApplication: ['id', 'eventId', 'status'],
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Whether an answer has the shape of the contract, as far as is needed to rely on it. Something on the way may answer in our
 * name, or empty what passes through it; what is not the contract's is no answer, and nothing that is kept goes for it.
 */
export function isOfContract(name: EndpointName, answer: unknown): boolean {
  if (answer === undefined) return true
  if (lists.has(name)) return Array.isArray(answer) && answer.every(isObject)
  return isObject(answer) && (needed[name] ?? []).every((field) => answer[field] !== undefined)
}
