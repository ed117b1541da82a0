import { eventNotFound, requireOwner } from '../events/event-policy.ts'
import type { Handler, Room } from '../calls/handler.ts'
import { findFeedText, jsonArray, listFeedTexts } from '../feed/change-feed.ts'
import { presentApplication } from './application-presenter.ts'
import { listApprovedIds, listDecidedApplications } from './application-store.ts'
import { applyAsBeacon } from './apply-as-beacon.ts'
import { decideApplication } from './decide-application.ts'
import { markApplication } from './mark-application.ts'

const listBeacons: Handler<'listBeacons'> = async (call) => {
  const event = await findFeedText(call.db, 'public', 'events', String(call.params.id))
  if (event === undefined) throw eventNotFound()
  const ids = await listApprovedIds(call.db, call.params.id)
  return jsonArray(await listFeedTexts(call.db, 'public', 'beacons', ids.map(String)))
}

const listApplications: Handler<'listApplications'> = async (call) => {
  const event = await requireOwner(call.db, call.caller, call.params.id)
  const applications = await listDecidedApplications(call.db, (query) => void query.where('a.eventId', event.id))
  return applications.map(presentApplication)
}

/** Applications to be a Beacon, and the public list of those approved. */
export const applicationHandlers: Room<
  'listBeacons' | 'listApplications' | 'applyAsBeacon' | 'decideApplication' | 'markApplication'
> = {
  listBeacons,
  listApplications,
  applyAsBeacon,
  decideApplication,
  markApplication,
}
