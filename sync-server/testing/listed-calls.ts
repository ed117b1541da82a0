import type { endpoints, EndpointName } from '#shared/contract/endpoints.ts'

/** The first column of the table in section 7, without query strings. */
export const listedCalls = [
  'GET /api/user',
  'POST /api/login',
  'POST /api/register',
  'POST /api/logout',
  'GET /api/events',
  'GET /api/events/{id}',
  'GET /api/events/{id}/beacons',
  'GET /api/organizer/events',
  'GET /api/organizer/events/{id}/beacons',
  'POST /api/events',
  'PUT /api/events/{id}',
  'DELETE /api/events/{id}',
  'PATCH /api/events/{eventId}/customization',
  'POST /api/events/{eventId}/beacons',
  'PATCH /api/beacons/{beaconId}/status',
  'GET /api/user/subscription',
  'GET /api/subscription-plans',
  'POST /api/validate-promo-code',
  'POST /api/create-subscription',
  'POST /api/create-payment-intent',
  'POST /api/test-email',
  'GET /api/admin/stats',
  'GET /api/admin/accounts',
] as const satisfies readonly (typeof endpoints)[EndpointName][]
