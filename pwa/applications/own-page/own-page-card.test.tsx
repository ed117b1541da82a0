import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { PrivateLink } from './own-page-card.tsx'

it('the private link is folded away, and its warning is read before it is copied', () => {
  const html = renderToStaticMarkup(<PrivateLink link="https://beaconry.example/events/1/apply#application=t" />)
  expect(html).toMatch(/^<details(?![^>]* open)[^>]*><summary[^>]*>My private link<\/summary>/)
  expect(html).toMatch(/read your phone number and your answers.*please do not pass it on.*Copy My Private Link/)
})
