import { featureGroups } from './content/features.ts'
import { Illustration, type IllustrationName } from '../ui/illustration.tsx'
import { Page } from '../ui/page.tsx'
import { ClosingCall } from './closing-call.tsx'
import { usePageTitle } from '../page/page-title.ts'
import { anchorOf } from './reading/passages.tsx'
import { Rich } from './reading/rich.tsx'

const pictures: readonly IllustrationName[] = ['offline', 'inbox', 'beacons', 'clear']

/** What Beaconry does, by what it is good for. */
export function FeaturesScreen() {
  usePageTitle('Features')
  return (
    <>
      <Page title="Features" lead="Few things, done properly, in the place where you need them.">
        <div className="mt-10 flex flex-col gap-14">
          {featureGroups.map(({ title, lead, features }, index) => (
            <section
              key={title}
              aria-labelledby={anchorOf(title)}
              className="grid gap-x-12 gap-y-6 border-t-2 border-base-content pt-5 lg:grid-cols-[18rem_minmax(0,1fr)]"
            >
              <div>
                <h2 id={anchorOf(title)} className="text-2xl">
                  {title}
                </h2>
                <p className="mt-2 text-muted">
                  <Rich text={lead} />
                </p>
                <Illustration name={pictures[index] ?? 'hall'} className="mt-4 -ml-2 h-28 w-42 max-sm:hidden" />
              </div>
              <ul className="grid gap-x-10 gap-y-7 sm:grid-cols-2">
                {features.map(({ name, text }) => (
                  <li key={name}>
                    <h3 className="text-lg">{name}</h3>
                    <p className="mt-1 text-muted">
                      <Rich text={text} />
                    </p>
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </div>
      </Page>
      <ClosingCall />
    </>
  )
}
