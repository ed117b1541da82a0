import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'

const Passing = ({ children }: { children: ReactNode }) => (
  <p>
    <b />
    {children}
  </p>
)
const count = 3
const isSaving = true

it.each([
  {
    of: 'a text behind an element',
    drawn: (
      <p>
        <b /> Saved
      </p>
    ),
    html: '<p><b></b><span> Saved</span></p>',
  },
  {
    of: 'a text before an element',
    drawn: (
      <p>
        Saved <b />
      </p>
    ),
    html: '<p><span>Saved </span><b></b></p>',
  },
  {
    of: 'texts in a row, as one',
    drawn: (
      <p>
        <b />
        {count} of {4}
      </p>
    ),
    html: '<p><b></b><span>3 of 4</span></p>',
  },
  {
    of: 'texts around nothing',
    drawn: (
      <p>
        {count}
        {!isSaving && <i />} new
        <b />
      </p>
    ),
    html: '<p><span>3 new</span><b></b></p>',
  },
  { of: 'a text that is passed on', drawn: <Passing>Saved</Passing>, html: '<p><b></b><span>Saved</span></p>' },
  { of: 'texts that are passed on', drawn: <Passing>{count} new</Passing>, html: '<p><b></b><span>3 new</span></p>' },
  { of: 'a text in a list', drawn: <p>{['one', <b key="two" />]}</p>, html: '<p><span>one</span><b></b></p>' },
  {
    of: 'the text of a fragment',
    drawn: (
      <p>
        <>Saved</>
        <b />
      </p>
    ),
    html: '<p><span>Saved</span><b></b></p>',
  },
])('gives an element to $of', ({ drawn, html }) => {
  expect(renderToStaticMarkup(drawn)).toBe(html)
})

it.each([
  { of: 'a text alone', drawn: <p>Saved</p>, html: '<p>Saved</p>' },
  {
    of: 'texts that are all there is',
    drawn: (
      <p>
        {count} of {4}
      </p>
    ),
    html: '<p>3 of 4</p>',
  },
  {
    of: 'elements',
    drawn: (
      <p>
        <b />
        <i />
      </p>
    ),
    html: '<p><b></b><i></i></p>',
  },
  {
    of: 'a blank between elements',
    drawn: (
      <p>
        <b /> <i />
      </p>
    ),
    html: '<p><b></b> <i></i></p>',
  },
  {
    of: 'nothing',
    drawn: (
      <p>
        {null}
        {!isSaving && 'Saved'}
      </p>
    ),
    html: '<p></p>',
  },
])('leaves $of as it is', ({ drawn, html }) => {
  expect(renderToStaticMarkup(drawn)).toBe(html)
})
