import { Suspense } from 'react'
import type { User } from '#shared/accounts/account-calls.ts'
import { Card } from '../../ui/card.tsx'
import { loadable } from '../../ui/failure-boundary.tsx'
import { Skeleton } from '../../ui/loading.tsx'

/** Lazy: the form loads the validation library, which the rest of the profile does not need. */
const HostForm = loadable(async () => (await import('../forms/host-form.tsx')).HostForm)

export function HostCard({ user }: { user: User }) {
  return (
    <Card title="What guests see of you">
      <p className="mb-4 text-muted">Your events and the mails about them say “Hosted by …”.</p>
      <Suspense fallback={<Skeleton shape="card" label="Loading the form" />}>
        <HostForm user={user} />
      </Suspense>
    </Card>
  )
}
