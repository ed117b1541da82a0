import { useState } from 'react'
import { forgetTeamLeft, readTeamLeft } from '../device/session/acting.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'

/** Says once that the person is no longer on another organizer's team. */
export function TeamLeft({ userId }: { readonly userId: number }) {
  const [name, setName] = useState(() => readTeamLeft(userId))
  if (name === null) return null
  const close = () => {
    forgetTeamLeft()
    setName(null)
  }
  return (
    <Alert
      className="mb-3"
      variant="signal"
      title={`You are no longer on the team of ${name}`}
      action={
        <Button variant="secondary" size="small" onClick={close}>
          OK
        </Button>
      }
    >
      Their events were removed from this device. Changes that had not been sent are listed under Sync, with their
      content.
    </Alert>
  )
}
