// Before the first paint, or a dark hall is lit by a white page.
{
  let theme = null
  try {
    theme = localStorage.getItem('theme')
  } catch {
    // As the device wishes, then.
  }
  const isDark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = isDark ? 'beaconry-dark' : 'beaconry'
}

// A script that does not arrive has no other voice. What is shown goes when the page is drawn.
{
  const tellOfFailure = () => document.getElementById('not-loaded')?.removeAttribute('hidden')
  const look = ({ target }) => {
    if (target.tagName !== 'SCRIPT') return
    if (document.readyState === 'loading') addEventListener('DOMContentLoaded', tellOfFailure)
    else tellOfFailure()
  }
  addEventListener('error', look, true)
}
