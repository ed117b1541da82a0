import { Pencil } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { useDeviceIdentity } from '../../device/device-identity.ts'
import { nameThisDevice } from '../../device/device-name-told.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import { Tooltip } from '../../ui/tooltip.tsx'
import { FactRow } from './fact-row.tsx'

/** The person has just asked for this field. */
const focused = (field: HTMLInputElement | null) => field?.focus()

/** What this phone is called in the history of decisions and in the list of sessions. */
export function DeviceNameRow({ onNamed }: { onNamed: () => void }) {
  const device = useDeviceIdentity()
  const [editing, setEditing] = useState(false)
  const [name, setName] = useState('')
  const [busy, setBusy] = useState(false)

  const open = () => {
    setName(device?.name ?? '')
    setEditing(true)
  }
  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setBusy(true)
    try {
      const told = await nameThisDevice(name)
      setEditing(false)
      toast({
        title: 'Device renamed',
        description: told ? undefined : 'Your other devices see the new name when there is a connection.',
      })
      if (told) onNamed()
    } catch (error) {
      const description = error instanceof Error ? error.message : String(error)
      toast({ variant: 'destructive', title: 'The name could not be kept', description })
    } finally {
      setBusy(false)
    }
  }

  if (editing) {
    return (
      <form className="pb-3" onSubmit={(event) => void save(event)}>
        <TextField
          label="Name of this device"
          hint="Shown beside decisions made here."
          name="name"
          value={name}
          onChange={({ target }) => setName(target.value)}
          maxLength={60}
          autoComplete="off"
          ref={focused}
        />
        <div className="mt-3 flex gap-2">
          <Button type="submit" pending={busy} pendingText="Saving...">
            Save Name
          </Button>
          <Button variant="ghost" onClick={() => setEditing(false)}>
            Cancel
          </Button>
        </div>
      </form>
    )
  }
  return (
    <FactRow
      term="Name"
      action={
        <Tooltip hint="Rename this device">
          <IconButton label="Rename this device" onClick={open}>
            <Pencil aria-hidden="true" className="size-5" />
          </IconButton>
        </Tooltip>
      }
    >
      <span className="text-lg font-medium">{device?.name ?? '…'}</span>
    </FactRow>
  )
}
