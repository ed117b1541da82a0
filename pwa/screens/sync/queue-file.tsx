import { useRef } from 'react'
import { outbox } from '../../outbox/outbox.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.ts'

const fileName = 'beaconry-changes.json'

function failed(error: unknown): void {
  toast({
    title: 'That did not work',
    description: error instanceof Error ? error.message : String(error),
    variant: 'destructive',
  })
}

async function save(userId: number | null): Promise<void> {
  const text = await outbox.exportQueue(userId)
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
  // The browser has taken the file's bytes once this task is over.
  setTimeout(() => URL.revokeObjectURL(address))
}

async function load(file: File, userId: number | null): Promise<void> {
  const { added, skipped } = await outbox.importQueue(await file.text(), { userId })
  toast({
    title: added === 1 ? '1 change added' : `${added} changes added`,
    description: skipped > 0 ? `${skipped} ${skipped === 1 ? 'was' : 'were'} here already.` : undefined,
  })
}

/** The way out of a broken phone: the queue as a file, to be read by another one. Sent twice, each change still happens once. */
export function QueueFile({ userId, hasChanges }: { userId: number | null; hasChanges: boolean }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className="mt-10 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
      <p className="mr-2 max-sm:w-full">Moving to another phone?</p>
      {hasChanges && (
        <Button variant="ghost" size="small" className="max-sm:-ml-4" onClick={() => void save(userId).catch(failed)}>
          Save changes to a file
        </Button>
      )}
      <Button variant="ghost" size="small" className="max-sm:-ml-4" onClick={() => input.current?.click()}>
        Read changes from a file
      </Button>
      <input
        ref={input}
        type="file"
        accept="application/json,.json"
        aria-label="File of saved changes"
        hidden
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file) void load(file, userId).catch(failed)
        }}
      />
    </div>
  )
}
