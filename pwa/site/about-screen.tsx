import { about } from './content/about.ts'
import { HallScene } from '../ui/hall-scene.tsx'
import { Page } from '../ui/page.tsx'
import { ClosingCall } from './closing-call.tsx'
import { usePageTitle } from '../page/page-title.ts'
import { Passages } from './reading/passages.tsx'

/** Why this exists, and how it is made. */
export function AboutScreen() {
  usePageTitle('About')
  return (
    <>
      <Page title="About" lead="Most people leave a networking event having met the two beside them.">
        <div className="hall mb-10 overflow-hidden rounded-box bg-hall pt-8">
          <HallScene className="h-36 sm:h-52" />
        </div>
        <div className="mx-auto max-w-prose text-lg">
          <Passages passages={about} />
        </div>
      </Page>
      <ClosingCall />
    </>
  )
}
