import { paths } from '../paths.ts'
import { useAccount } from '../sync/index.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Section } from '../ui/page.tsx'
import { TitledPage } from '../ui/page/titled-page.tsx'
import { Skeleton } from '../ui/loading.tsx'
import { ChoosePlan } from './choose-plan.tsx'
import { LoginRequired } from '../ui/page/login-required.tsx'
import { SubscriptionCard, offersMore } from './subscription-card.tsx'
import { useNow } from '../ui/page/use-now.ts'

/** Offers other plans where they would give more. */
export function SubscriptionScreen() {
  const account = useAccount()
  const now = useNow()
  return (
    <TitledPage title="Subscription" width="text" back={{ to: paths.dashboard, label: 'Dashboard' }}>
      <LoginRequired>Please log in to view your subscription.</LoginRequired>
      {account === null ? (
        <Skeleton shape="card" label="Loading your subscription" />
      ) : (
        <>
          <SubscriptionCard account={account} now={now} />
          <div className="mt-5 flex flex-wrap gap-3">
            <ButtonLink to={paths.dashboard} variant="secondary">
              Go to Dashboard
            </ButtonLink>
            <ButtonLink to="/create-event" variant="secondary">
              Create Event
            </ButtonLink>
          </div>
          {offersMore(account) && (
            <div className="mt-10">
              <Section id="choose-plan" title={account.plan === null ? 'Choose a Plan' : 'Upgrade Your Plan'}>
                <ChoosePlan label="Plans" />
              </Section>
            </div>
          )}
        </>
      )}
    </TitledPage>
  )
}
