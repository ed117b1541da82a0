import type { EndpointName } from '#shared/contract/endpoints.ts'

/** By hand, because the contract's own schemas weigh too much for a first load; a test compares. */
export const lists: ReadonlySet<EndpointName> = new Set<EndpointName>([
  'listSessions',
  'listAccounts',
  'listAdminEvents',
  'listFailedJobs',
  'listPromoCodes',
  'listEvents',
  'listOrganizerEvents',
  'listBeacons',
  'listApplications',
  'listPlans',
  'listAlertedDevices',
  'listDecisions',
])

const user = ['id', 'username', 'email']
/** Fields the app needs, where an answer decides what it keeps. */
export const needed: Readonly<Partial<Record<EndpointName, readonly string[]>>> = {
  getUser: user,
  login: user,
  register: user,
  findSession: ['user'],
  getEvent: ['id', 'name', 'startDate', 'endDate'],
  getSubscription: ['subscription', 'plan', 'canCreateEvent'],
  getOwnApplication: ['id', 'eventId', 'status'],
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * As far as the app relies on it: something on the way may answer in our server's name, or empty an answer. Such an
 * answer changes nothing that is kept.
 */
export function isOfContract(name: EndpointName, answer: unknown): boolean {
  if (answer === undefined) return true
  if (lists.has(name)) return Array.isArray(answer) && answer.every(isObject)
  return isObject(answer) && (needed[name] ?? []).every((field) => answer[field] !== undefined)
}
