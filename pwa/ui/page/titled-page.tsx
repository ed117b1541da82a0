import type { ComponentProps } from 'react'
import { Page } from '../page.tsx'
import { usePageTitle } from './page-title.ts'

/** Its title is the tab's too. */
export function TitledPage(props: ComponentProps<typeof Page> & { title: string }) {
  usePageTitle(props.title)
  return <Page {...props} />
}
