import { Download } from 'lucide-react'
import { downloadBody } from '#shared/accounts/account-calls.ts'
import { call } from '../../sync/index.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import { fieldOf, useZodForm } from '../../ui/forms/use-zod-form.ts'
import { saveFile } from '../../ui/page/save-file.ts'
import { HiddenUsername, NeedsConnection, useAuthSubmit } from './auth-form.tsx'

export function DownloadDataForm({ email }: { email: string }) {
  const form = useZodForm(downloadBody, { password: '' })
  const { unreachable, onSubmit } = useAuthSubmit(form, {
    send: (body) => call('downloadData', { body }),
    onDone: (copy) => {
      form.reset({ password: '' })
      saveFile(`beaconry-data-${copy.exportedAt.slice(0, 10)}.json`, JSON.stringify(copy, null, 2), 'application/json')
      toast({ title: 'Your data is downloaded', description: 'The file is among your downloads.' })
    },
    onRefused: (message, { inFields }) => {
      if (!inFields) toast({ variant: 'destructive', title: 'Nothing was downloaded', description: message })
    },
  })
  return (
    <form noValidate className="flex flex-col gap-5" onSubmit={onSubmit}>
      <NeedsConnection failed={unreachable} failedTitle="Nothing was downloaded" doing="Downloading your data" />
      <HiddenUsername email={email} />
      <TextField
        label="Current password"
        type="password"
        autoComplete="current-password"
        {...fieldOf(form, 'password')}
      />
      <div>
        <Button
          type="submit"
          variant="secondary"
          icon={<Download aria-hidden="true" className="size-5" />}
          pending={form.formState.isSubmitting}
          pendingText="Collecting..."
        >
          Download as a File
        </Button>
      </div>
    </form>
  )
}
