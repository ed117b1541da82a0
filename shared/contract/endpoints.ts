/** Apart from the schemas, so that a page and the service worker can make a call without loading zod. */
export const endpoints = {
  getUser: 'GET /api/user',
  findSession: 'GET /api/session',
  login: 'POST /api/login',
  register: 'POST /api/register',
  logout: 'POST /api/logout',
  requestPasswordReset: 'POST /api/password-reset',
  readAccountLink: 'POST /api/account-link',
  resetPassword: 'PUT /api/password',
  confirmEmail: 'POST /api/email-confirmation',
  resendVerification: 'POST /api/email-verification',
  requestEmailChange: 'POST /api/email-change',
  setProfile: 'PUT /api/user/profile',
  listSessions: 'GET /api/sessions',
  endSession: 'DELETE /api/sessions/{id}',
  endOtherSessions: 'DELETE /api/sessions',
  renameDevice: 'PATCH /api/device',
  sendTestEmail: 'POST /api/test-email',
  getMailPreferences: 'GET /api/user/mail-preferences',
  setMailPreferences: 'PUT /api/user/mail-preferences',
  listEventMails: 'GET /api/organizer/events/{id}/mails',
  retryMail: 'POST /api/organizer/mails/{id}/retries',

  getAdminStats: 'GET /api/admin/stats',
  listAccounts: 'GET /api/admin/accounts',
  listStrandedJobs: 'GET /api/admin/jobs',
  retryJob: 'POST /api/admin/jobs/{id}/retry',
  discardJob: 'POST /api/admin/jobs/{id}/discard',
  listRefusedChanges: 'GET /api/admin/refused-changes',
  askForAnotherTry: 'POST /api/admin/refused-changes/{id}/another-try',
  putRefusedChangeAside: 'POST /api/admin/refused-changes/{id}/put-aside',
  listAskedTries: 'GET /api/asked-tries',
  listPromoCodes: 'GET /api/admin/promo-codes',
  createPromoCode: 'POST /api/admin/promo-codes',
  stopPromoCode: 'POST /api/admin/promo-codes/{id}/stop',

  listEvents: 'GET /api/events',
  getEvent: 'GET /api/events/{id}',
  listOrganizerEvents: 'GET /api/organizer/events',
  createEvent: 'POST /api/events',
  updateEvent: 'PUT /api/events/{id}',
  deleteEvent: 'DELETE /api/events/{id}',
  customizeEvent: 'PATCH /api/events/{eventId}/customization',
  setEventCover: 'PUT /api/events/{id}/cover',
  removeEventCover: 'DELETE /api/events/{id}/cover',

  listBeacons: 'GET /api/events/{id}/beacons',
  listApplications: 'GET /api/organizer/events/{id}/beacons',
  applyAsBeacon: 'POST /api/events/{eventId}/beacons',
  decideApplication: 'PATCH /api/beacons/{beaconId}/status',
  getOwnApplication: 'GET /api/own-application',
  correctApplication: 'PUT /api/own-application',
  withdrawApplication: 'POST /api/own-application/withdrawal',
  sayComing: 'PUT /api/own-application/coming',
  setFace: 'PUT /api/own-application/face',
  removeFace: 'DELETE /api/own-application/face',
  markApplication: 'PATCH /api/beacons/{beaconId}/marks',
  listDecisions: 'GET /api/beacons/{beaconId}/decisions',

  getSubscription: 'GET /api/user/subscription',
  listPlans: 'GET /api/subscription-plans',
  getBillingMode: 'GET /api/billing-mode',
  validatePromoCode: 'POST /api/validate-promo-code',
  createSubscription: 'POST /api/create-subscription',
  createPaymentIntent: 'POST /api/create-payment-intent',
  getBillingHistory: 'GET /api/billing-history',

  getPushKey: 'GET /api/push/key',
  listAlertedDevices: 'GET /api/push/subscriptions',
  subscribePush: 'POST /api/push/subscriptions',
  unsubscribePush: 'DELETE /api/push/subscriptions',
  endAlerts: 'DELETE /api/push/subscriptions/{id}',
  setQuietHours: 'PUT /api/push/subscriptions/{id}/quiet-hours',
  sendTestAlert: 'POST /api/push/test-alert',
  tellThisPhone: 'POST /api/own-application/phone',
  stopTellingThisPhone: 'DELETE /api/own-application/phone',

  pull: 'GET /api/sync/pull',
  openStream: 'GET /api/sync/stream',
  replayMutations: 'POST /api/sync/mutations',
  cancelMutation: 'POST /api/sync/cancellations',
  cancelMutations: 'POST /api/sync/cancellations/batch',

  describeApi: 'GET /api/openapi.json',
} as const satisfies Record<string, `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /api/${string}`>

export type EndpointName = keyof typeof endpoints
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export function endpoint(name: EndpointName): { method: Method; path: string } {
  const [method, path] = endpoints[name].split(' ') as [Method, string]
  return { method, path }
}
