import { hasPlans } from '../device/has-plans.ts'
import { useSite } from '../device/site-settings.ts'
import { Card } from '../ui/card.tsx'
import { usePlans } from './admin-answers.ts'
import { QueryResult } from './query-result.tsx'
import { LegalTextForm } from './legal-text-form.tsx'
import { OperatorForm, PlanForm } from './site-forms.tsx'

export function SitePanel() {
  const asked = useSite()
  const { take } = asked
  return (
    <QueryResult asked={asked} what="What your site says" level={2}>
      {(site) => (
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
      )}
    </QueryResult>
  )
}

function Plans() {
  const asked = usePlans()
  return (
    <Card title="Plans and prices">
      <p className="mb-4 text-muted">A new price applies to purchases from now on. Earlier ones stay as they are.</p>
      <QueryResult asked={asked} what="The list of plans" level={3}>
        {(plans) => (
          <ul className="flex flex-col gap-8">
            {plans.map((plan) => (
              <li key={plan.id}>
                <PlanForm plan={plan} onSaved={() => void asked.ask()} />
              </li>
            ))}
          </ul>
        )}
      </QueryResult>
    </Card>
  )
}
