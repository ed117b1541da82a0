import { paths } from '../paths.ts'
import { useSession } from '../device/session/session.ts'
import { ButtonLink } from '../ui/button.tsx'

export const onHall = 'border-hall-muted/50 text-hall-content hover:bg-hall-raised hover:border-hall-muted'

export function ClosingCall() {
  const signedIn = useSession().user !== null
  return (
    <section aria-labelledby="closing" className="mx-auto max-w-6xl px-4 pt-14 sm:px-6 sm:pt-20">
      <div className="hall rounded-box bg-hall px-5 py-10 text-center text-hall-content sm:px-10 sm:py-14">
        <h2 id="closing" className="text-3xl">
          {signedIn ? 'Your Beacons are waiting for you' : 'Light up your next event'}
        </h2>
        <p className="mx-auto mt-3 max-w-xl text-hall-muted">
          {signedIn
            ? 'See who applied, and who is coming.'
            : 'Your event page is ready in a few minutes. People can apply as soon as it is.'}
        </p>
        <div className="mt-7 flex flex-wrap justify-center gap-3">
          {signedIn ? (
            <ButtonLink to={paths.dashboard} size="large">
              Go to Your Dashboard
            </ButtonLink>
          ) : (
            <>
              <ButtonLink to={paths.eventBuilder} size="large">
                Create an Event
              </ButtonLink>
              <ButtonLink to={paths.auth} size="large" variant="ghost" className={onHall}>
                Sign In
              </ButtonLink>
            </>
          )}
        </div>
      </div>
    </section>
  )
}
