import { Download } from 'lucide-react'
import { call } from '../../sync/index.ts'
import { Button } from '../../ui/button.tsx'
import { saveFile } from '../../ui/page/save-file.ts'
import { toast } from '../../ui/toast.ts'
import { CurrentPasswordForm } from './current-password-form.tsx'

export function DownloadDataForm({ email }: { email: string }) {
  return (
    <CurrentPasswordForm
      email={email}
      send={(body) => call('downloadData', { body })}
      onDone={(copy) => {
        const name = `beaconry-data-${copy.exportedAt.slice(0, 10)}.json`
        saveFile(name, JSON.stringify(copy, null, 2), 'application/json')
        toast({ title: 'Your data is downloaded', description: 'The file is among your downloads.' })
      }}
      refusedTitle="Nothing was downloaded"
      failedTitle="Nothing was downloaded"
      doing="Downloading your data"
      renderButton={(pending) => (
        <Button
          type="submit"
          variant="secondary"
          icon={<Download aria-hidden="true" className="size-5" />}
          pending={pending}
          pendingText="Collecting..."
        >
          Download as a File
        </Button>
      )}
    />
  )
}
