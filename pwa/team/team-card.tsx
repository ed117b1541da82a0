import { actingNow } from '../browser/acting.ts'
import { useObservable } from '../browser/observable.ts'
import { may } from '../device/session/acting.ts'
import { useSession } from '../device/session/session.ts'
import { paths } from '../paths.ts'
import { replicaState } from '../sync/index.ts'
import { Button } from '../ui/button.tsx'
import { Card, CardLink } from '../ui/card.tsx'
import { switchOrganizer } from './switch-organizer.ts'

/** Leads to one's own team, and to the events of each organizer whom the account helps. */
export function TeamCards() {
  const { user } = useSession()
  const teams = useObservable(replicaState).account?.teams ?? []
  const acting = actingNow()
  const others = teams.filter(({ organizerId }) => organizerId !== acting?.organizerId)
  return (
    <>
      {may('owner') && (
        <Card as="section" padding="tight" aria-labelledby="team">
          <h2 id="team" className="text-lg">
            <CardLink to={paths.team}>Team</CardLink>
          </h2>
          <p className="mt-0.5 text-sm text-muted">
            Invite people to review applications, to manage events, or to work at the door.
          </p>
        </Card>
      )}
      {user && others.length > 0 && (
        <Card as="section" padding="tight" aria-labelledby="helping">
          <h2 id="helping" className="text-lg">
            You also help
          </h2>
          <ul className="mt-1">
            {others.map((member) => (
              <li key={member.organizerId} className="flex min-h-11 flex-wrap items-center justify-between gap-x-3">
                <span className="min-w-0 [overflow-wrap:anywhere]">{member.name}</span>
                <Button
                  variant="secondary"
                  size="small"
                  aria-label={`Open the events of ${member.name}`}
                  onClick={() => void switchOrganizer(user.id, member)}
                >
                  Open
                </Button>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  )
}
