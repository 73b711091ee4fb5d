"""Listings of Storage Devices, from a flash drive to a portable SSD."""

from ecbench.world.generate.vocabulary.model import Line, Vocabulary

_BRANDS = (
    "Kezhou",
    "Bituo",
    "Cunxin",
    "Datavale",
    "Tensiv",
    "Zhuoran",
    "Byteford",
    "Langcun",
    "Jingcun",
    "Archivo",
    "Panduo",
    "Kulian",
    "Memolin",
)

_LINES = (
    Line(
        level=0.05,
        products=(
            "USB 2.0 Flash Drive",
            "Mini USB Flash Drive",
            "Swivel Flash Drive",
            "Keyring Flash Drive",
            "Capped Flash Drive",
        ),
        materials=("Metal", "Plastic", "Black", "Silver", "Blue"),
        features=("Lanyard Hole", "Plug and Play", "Waterproof Chip", "Bootable"),
        sizes=("8 GB", "16 GB", "32 GB"),
    ),
    Line(
        level=0.13,
        products=("MicroSD Memory Card", "SDHC Memory Card", "Surveillance MicroSD Card", "Dash-Cam Memory Card"),
        materials=("Class 10", "U1", "High-Endurance", "A1"),
        features=("Full HD Recording", "Adapter Included", "Temperature-Proof", "Five-Year Warranty"),
        sizes=("16 GB", "32 GB", "64 GB"),
    ),
    Line(
        level=0.2,
        products=(
            "Multi-Slot Card Reader",
            "USB-C Card Reader",
            "Two-in-One Card Reader",
            "Camera Card Reader",
            "Four-in-One Card Reader",
        ),
        materials=("Aluminum", "Black", "White", "Transparent"),
        features=("Plug and Play", "Dust Cap", "Braided Cable", "LED Indicator"),
        sizes=("USB 2.0", "USB 3.0", "USB 3.2"),
    ),
    Line(
        level=0.27,
        products=(
            "2.5-Inch Drive Enclosure",
            "M.2 SATA Drive Enclosure",
            "Slim SATA Drive Enclosure",
            "mSATA Drive Enclosure",
        ),
        materials=("Aluminum", "Transparent", "Black", "Frosted"),
        features=("Tool-Free", "Shockproof Pads", "5 Gbps", "6 Gbps", "Status LED"),
        sizes=("USB-A", "USB-C", "USB 3.0"),
    ),
    Line(
        level=0.36,
        products=(
            "USB 3.2 Flash Drive",
            "Dual-Plug USB-C Flash Drive",
            "Encrypted Flash Drive",
            "Fingerprint Flash Drive",
            "Solid-State Flash Drive",
        ),
        materials=("Zinc-Alloy", "Aluminum", "Steel", "Gunmetal"),
        features=("200 MB/s Read", "400 MB/s Read", "Slide Cover", "Keyring Loop", "Three-Year Warranty"),
        sizes=("64 GB", "128 GB", "256 GB"),
    ),
    Line(
        level=0.44,
        products=("V30 MicroSD Card", "4K Video SD Card", "Drone MicroSD Card", "Handheld-Console MicroSD Card"),
        materials=("A2", "U3", "High-Speed", "Ultra-Fast"),
        features=("100 MB/s Read", "170 MB/s Read", "Waterproof", "X-Ray Proof", "Lifetime Warranty"),
        sizes=("128 GB", "256 GB"),
    ),
    Line(
        level=0.52,
        products=("2.5-Inch SATA SSD", "mSATA Solid State Drive", "M.2 SATA SSD", "Laptop Upgrade SSD"),
        materials=("TLC", "3D NAND", "Entry-Level", "High-Endurance"),
        features=("500 MB/s Read", "550 MB/s Read", "Low Power", "Five-Year Warranty", "Low Heat"),
        sizes=("120 GB", "128 GB", "240 GB", "256 GB"),
    ),
    Line(
        level=0.58,
        products=(
            "NVMe Drive Enclosure",
            "Dual-Protocol SSD Enclosure",
            "Hard Drive Docking Station",
            "Two-Bay Drive Dock",
            "Offline Clone Dock",
        ),
        materials=("Aluminum", "Space Gray", "Black", "Silver"),
        features=("10 Gbps", "Tool-Free", "Cooling Fins", "Power Switch", "Auto Sleep"),
        sizes=("USB-A", "USB-C"),
    ),
    Line(
        level=0.66,
        products=("Surveillance Hard Drive", "Desktop SATA Hard Drive", "3.5-Inch Internal Hard Drive"),
        materials=("Low-Noise", "24/7-Rated", "CMR", "Energy-Saving"),
        features=("64 MB Cache", "128 MB Cache", "5400 rpm", "5900 rpm", "Anti-Vibration"),
        sizes=("500 GB", "1 TB", "2 TB"),
    ),
    Line(
        level=0.74,
        products=(
            "Portable Hard Drive",
            "Slim External Hard Drive",
            "Shockproof External Hard Drive",
            "Encrypted Portable Hard Drive",
        ),
        materials=("Black", "Silver", "Red", "Navy", "Brushed-Metal"),
        features=("USB 3.0", "USB-C", "Auto Backup", "Drop-Resistant", "Password Lock"),
        sizes=("320 GB", "500 GB", "1 TB"),
    ),
    Line(
        level=0.8,
        products=("PCIe 3.0 NVMe SSD", "M.2 2280 NVMe SSD", "M.2 2242 NVMe SSD", "Notebook NVMe SSD"),
        materials=("TLC", "3D NAND", "Graphene-Label", "High-Endurance"),
        features=("2000 MB/s Read", "3000 MB/s Read", "Low Heat", "SLC Cache", "Five-Year Warranty"),
        sizes=("256 GB", "512 GB"),
    ),
    Line(
        level=0.88,
        products=("UHS-II SDXC Card", "V60 SDXC Card", "V90 SDXC Card", "Professional SDXC Card"),
        materials=("Metal-Shell", "Burst-Shooting", "8K", "Cinema-Grade"),
        features=("280 MB/s Read", "Data Recovery Service", "Waterproof", "Shock Resistant", "Lifetime Warranty"),
        sizes=("64 GB", "128 GB", "256 GB"),
    ),
    Line(
        level=0.95,
        products=(
            "Portable Solid State Drive",
            "Rugged Portable SSD",
            "NVMe Portable SSD",
            "Magnetic Phone SSD",
            "Thumb-Size Portable SSD",
        ),
        materials=("Aluminum", "Space Gray", "Black", "Titanium"),
        features=("Type-C Cable Included", "Low Heat", "Five-Year Warranty", "Fast Bulk Copy", "Sleep-Power Saving"),
        sizes=("512 GB", "1 TB"),
    ),
)

STORAGE_DEVICES = Vocabulary(category="Storage Devices", brands=_BRANDS, lines=_LINES)
