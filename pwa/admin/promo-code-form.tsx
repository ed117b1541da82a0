import { newPromoCodeBody } from '#shared/admin/promo-code-calls.ts'
import { call } from '../sync/index.ts'
import { useSave } from '../ui/forms/use-save.ts'
import { fieldOf, useZodForm } from '../ui/forms/use-zod-form.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/text-field.tsx'
import { toast } from '../ui/toast.ts'

const blankIsNull = (typed: unknown) => (typed === '' ? null : typed)
const numberOrNull = (typed: unknown) => (typed === '' || typed === null ? null : Number(typed))

export function PromoCodeForm({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
  const form = useZodForm(newPromoCodeBody, { code: '', description: '', percent: 10, lastDay: null, maxUses: null })
  const create = useSave(form, 'It was not created', async (body) => {
    const { code } = await call('createPromoCode', { body })
    toast({ title: `${code} is ready`, description: 'It is accepted from now on.' })
    onDone()
  })
  const withRule = (name: 'percent' | 'lastDay' | 'maxUses', setValueAs: (typed: unknown) => unknown) => ({
    ...fieldOf(form, name),
    ...form.register(name, { setValueAs }),
  })
  return (
    <form noValidate className="flex flex-col gap-5" onSubmit={(event) => void create(event)}>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField label="Code" autoComplete="off" autoCapitalize="characters" {...fieldOf(form, 'code')} />
        <TextField label="Percent off" inputMode="numeric" {...withRule('percent', numberOrNull)} />
      </div>
      <TextField
        label="What it is for"
        hint="Shown to the organizer who enters it."
        autoComplete="off"
        {...fieldOf(form, 'description')}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField label="Last day" optional type="date" {...withRule('lastDay', blankIsNull)} />
        <TextField label="Uses at most" optional inputMode="numeric" {...withRule('maxUses', numberOrNull)} />
      </div>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" pending={form.formState.isSubmitting} pendingText="Creating...">
          Create Code
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
