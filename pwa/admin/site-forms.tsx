import { planBody, siteBody, type Site } from '#shared/admin/site-calls.ts'
import type { Plan } from '#shared/billing/billing-calls.ts'
import { eventLimitText, validityText } from '#shared/billing/plan.ts'
import { call } from '../sync/index.ts'
import { Button } from '../ui/button.tsx'
import { useSave } from '../ui/forms/use-save.ts'
import { fieldOf, useZodForm } from '../ui/forms/use-zod-form.ts'
import { TextareaField, TextField } from '../ui/text-field.tsx'
import { toast } from '../ui/toast.ts'

const operatorBody = siteBody.pick({ operator: true, supportEmail: true, imprint: true })

export function OperatorForm({ site, onSaved }: { site: Site; onSaved: (site: Site) => void }) {
  const form = useZodForm(operatorBody, {
    operator: site.operator ?? '',
    supportEmail: site.supportEmail ?? '',
    imprint: site.imprint ?? '',
  })
  const save = useSave(form, 'It was not saved', async (body) => {
    onSaved(await call('saveSite', { body }))
    toast({ title: 'Saved', description: 'Visitors see it from now on.' })
  })
  return (
    <form noValidate className="flex flex-col gap-5" onSubmit={(event) => void save(event)}>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label="Name"
          optional
          autoComplete="off"
          hint="Yours, your club’s or your company’s."
          {...fieldOf(form, 'operator')}
        />
        <TextField
          label="Support address"
          optional
          type="email"
          autoComplete="off"
          hint="Where people write to about accounts, payments and data."
          {...fieldOf(form, 'supportEmail')}
        />
      </div>
      <TextareaField
        label="Imprint"
        optional
        hint="What the law of your country requires: address, register, who is responsible."
        {...fieldOf(form, 'imprint')}
      />
      <div>
        <Button type="submit" pending={form.formState.isSubmitting} pendingText="Saving...">
          Save
        </Button>
      </div>
    </form>
  )
}

const numberOf = (typed: unknown) => (String(typed).trim() === '' ? Number.NaN : Number(typed))

export function PlanForm({ plan, onSaved }: { plan: Plan; onSaved: () => void }) {
  const form = useZodForm(planBody, { name: plan.name, description: plan.description, dollars: plan.price / 100 })
  const save = useSave(form, 'It was not saved', async (body) => {
    await call('savePlan', { params: { id: plan.id }, body })
    toast({ title: `${body.name} is saved` })
    onSaved()
  })
  const scope = `${eventLimitText(plan)}, ${validityText(plan.durationDays)}`
  return (
    <form noValidate aria-label={scope} className="flex flex-col gap-4" onSubmit={(event) => void save(event)}>
      <h3 className="text-lg">{scope}</h3>
      <div className="grid gap-5 sm:grid-cols-[1fr_9rem]">
        <TextField label="Name" autoComplete="off" {...fieldOf(form, 'name')} />
        <TextField
          label="Price in dollars"
          inputMode="numeric"
          autoComplete="off"
          {...fieldOf(form, 'dollars')}
          {...form.register('dollars', { setValueAs: numberOf })}
        />
      </div>
      <TextField label="Description" autoComplete="off" {...fieldOf(form, 'description')} />
      <div>
        <Button type="submit" variant="secondary" pending={form.formState.isSubmitting} pendingText="Saving...">
          Save Plan
        </Button>
      </div>
    </form>
  )
}
