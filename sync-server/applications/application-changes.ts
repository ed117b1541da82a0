import type { Change } from '../feed/change-feed.ts'
import { presentApplication, presentPublicBeacon } from './application-presenter.ts'
import type { DecidedApplication } from './application-store.ts'

/** An application for its event's organizer. */
export function applicationChange(organizerId: number, application: DecidedApplication): Change {
  return {
    scope: `org:${organizerId}`,
    collection: 'applications',
    docId: String(application.row.id),
    document: presentApplication(application),
  }
}

/** The public part: there while the application is approved, gone otherwise. */
export function publicBeaconChange({ row }: DecidedApplication): Change {
  const document = row.status === 'approved' ? presentPublicBeacon(row) : null
  return { scope: 'public', collection: 'beacons', docId: String(row.id), document }
}
