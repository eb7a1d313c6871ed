"""The command `drumline`."""

from drumline.surfaces.cli.main import main

if __name__ == "__main__":
    main()
