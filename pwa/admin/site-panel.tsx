import { Suspense } from 'react'
import { hasPlans } from '../device/has-plans.ts'
import { useSite } from '../device/site-settings.ts'
import { Card } from '../ui/card.tsx'
import { loadable } from '../ui/failure-boundary.tsx'
import { Skeleton } from '../ui/loading.tsx'
import { usePlans } from './admin-answers.ts'
import { KnownOrWhy } from './known-or-why.tsx'

/** Lazy: the forms need the validation library. */
const OperatorForm = loadable(async () => (await import('./site-forms.tsx')).OperatorForm)
const PlanForm = loadable(async () => (await import('./site-forms.tsx')).PlanForm)
const LegalTextForm = loadable(async () => (await import('./legal-text-form.tsx')).LegalTextForm)

export function SitePanel() {
  const asked = useSite()
  const { take } = asked
  return (
    <KnownOrWhy asked={asked} what="What your site says" level={2}>
      {(site) => (
        <Suspense fallback={<Skeleton shape="card" count={3} label="Loading the forms" />}>
          <div className="flex flex-col gap-6">
            <Card title="Who runs this site">
              <p className="mb-4 text-muted">Shown on the contact page, and above the legal texts.</p>
              <OperatorForm site={site} onSaved={take} />
            </Card>
            <Card title="Privacy">
              <LegalTextForm of="privacy" site={site} onSaved={take} />
            </Card>
            <Card title="Terms">
              <LegalTextForm of="terms" site={site} onSaved={take} />
            </Card>
            {hasPlans() && <Plans />}
          </div>
        </Suspense>
      )}
    </KnownOrWhy>
  )
}

function Plans() {
  const asked = usePlans()
  return (
    <Card title="Plans and prices">
      <p className="mb-4 text-muted">A new price holds for what is bought from now on. What was bought stays.</p>
      <KnownOrWhy asked={asked} what="The list of plans" level={3}>
        {(plans) => (
          // Suspending must not hide the forms above.
          <Suspense fallback={<Skeleton shape="card" label="Loading the forms" />}>
            <ul className="flex flex-col gap-8">
              {plans.map((plan) => (
                <li key={plan.id}>
                  <PlanForm plan={plan} onSaved={() => void asked.ask()} />
                </li>
              ))}
            </ul>
          </Suspense>
        )}
      </KnownOrWhy>
    </Card>
  )
}
