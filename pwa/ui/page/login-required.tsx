import { useLocation } from 'react-router-dom'
import { paths } from '../../paths.ts'
import { useSession } from '../../device/session/session.ts'
import { Alert } from '../alert.tsx'
import { ButtonLink } from '../button.tsx'

/** Only when the session ended while the page was open; stored data stays readable. */
export function LoginRequired({ children }: { children: string }) {
  const { state } = useSession()
  const { pathname, search } = useLocation()
  if (state !== 'ended') return null
  return (
    <Alert
      className="mb-6"
      variant="signal"
      title={children}
      action={
        <ButtonLink to={paths.auth} state={{ from: pathname + search }} variant="secondary">
          Sign In
        </ButtonLink>
      }
    >
      Your session has ended. What you see is saved on this device.
    </Alert>
  )
}
